// Texts of the chart of a result.

export const chartWords = {
  chart: 'Chart',
  kind: 'Drawn as',
  kinds: { line: 'Line', bar: 'Bars' },
  x: 'Across (x)',
  y: 'Values (y)',
  split: 'Split by',
  noSplit: 'Nothing',
  label: (y: string, x: string) => `${y} by ${x}`,
  none: 'A chart needs a column of numbers beside another column.',
};
