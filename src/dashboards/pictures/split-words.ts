// The words of split panels, which are loaded with the first of them.
export const splitWords = {
  others: (count: number) => `Other (${count})`,
  inAll: 'Whole range',
  whole: (measure: string, values: string) => `${measure} over the whole range: ${values}.`,
  one: (name: string, value: string) => `${name} ${value}`,
  counted: (value: string, things: string) => `${value} (${things})`,
  more: (count: number) => `${count} more not drawn; the table has all of them.`,
  countOf: (name: string, things: string) => `${name}, ${things}`,
} as const;
