// The texts of the page of chats as rows.

export const rowWords = {
  title: 'Chats as rows',
  sentence: 'One row per chat, with the columns that you choose, to download as a file.',
  columns: (chosen: number, all: number) => `Columns: ${chosen} of ${all}`,
  show: 'Show these rows',
  choose: 'Which chats and columns',
  count: (count: number, text: string) => (count === 0 ? 'No chat' : count === 1 ? 'One chat' : `${text} chats`),
  narrowed: (name: string, value: string) => `Only chats with ${name} “${value}”.`,
  all: 'Show all',
  first: (shown: string) => `The first ${shown} are shown, as the file has them.`,
  files: 'Download these chats',
  kinds: [
    { kind: 'csv', name: 'CSV', title: 'Comma-separated text, of any number of rows' },
    { kind: 'xlsx', name: 'Excel', title: 'A workbook of one sheet' },
    { kind: 'parquet', name: 'Parquet', title: 'Columns with types, for tools of analysts' },
  ] as const,
  tooMany: 'A sheet holds at most 1,048,575 rows: choose fewer days for Excel, or take CSV or Parquet.',
  seconds: (title: string) => `${title} (seconds)`,
  none: 'No chat matches.',
  noneHelp: 'Try a longer range or fewer filters.',
  failed: 'The chats could not be read.',
  usual: 'The usual columns',
  yes: 'yes',
  no: 'no',
};
