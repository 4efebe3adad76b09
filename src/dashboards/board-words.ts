// The words of boards, which pages without one do not load.

export const boardRemarks = {
  gone: (names: string[]) =>
    names.length === 1
      ? `Not shown: ${names[0]}. This version has no such panel any more.`
      : `Not shown: ${names.join(', ')}. This version has no such panels any more.`,
  without: {
    document: ['Not in this document', 'a document has many readers'],
    link: ['Not on this shared page', 'a shared page has many readers'],
    screen: ['Not on this screen', 'a screen has many readers'],
  } as const,
  queries: (count: number, [where, why]: readonly [string, string]) =>
    `${where}: ${count === 1 ? 'a saved query' : `${count} saved queries`} of the board. Each runs as whoever reads the board, and ${why}.`,
  query: {
    unnamed: 'A saved query',
    by: (name: string) => `By ${name || 'its author'}, not a defined metric`,
    noRows: 'The query gives no rows.',
    failed: (why: string) => `The query gave no answer: ${why}`,
  },
  withheld: (count: number) =>
    count === 1
      ? 'One panel of this board is not shown: it is about single agents, whose figures you may not see.'
      : `${count} panels of this board are not shown: they are about single agents, whose figures you may not see.`,
} as const;
