// Every text of the SQL page.

export const sqlWords = {
  title: 'SQL',
  sentence:
    'Query the published snapshot: facts, metrics, reports and what is known of pulls. Read-only, one query at a time.',
  editor: 'Query',
  unnamed: (number: number) => `Query ${number}`,
  run: 'Run',
  stop: 'Stop',
  keys: 'Ctrl+Enter runs the selection, or everything.',
  parameters: 'Parameters',
  noValue: 'No value (null)',
  choosing: {
    ...{ group: 'Choose a group…', agent: 'Choose an agent…', tag: 'Choose a tag…' },
    ...{ date: '', number: '', text: '' },
  },
  running: (seconds: string) => `Running for ${seconds}…`,
  history: 'History',
  choose: 'History…',
  none: 'No query has been run yet.',
  noRows: 'No rows.',
  rows: (count: string, time: string) => `${count} in ${time}.`,
  rowsOf: (count: number, text: string) => `${text} ${count === 1 ? 'row' : 'rows'}`,
  more: (count: string) =>
    `Only the first ${count} rows are returned. “npx chatledger sql --limit” and the published file have all of them.`,
  showMore: (count: string) => `Show ${count} more`,
  file: 'Download as CSV',
  json: 'Download as JSON',
  result: 'Result',
  place: (line: number, column: number) => `Line ${line}, column ${column}: `,
  stopped: 'The query was stopped.',
  schema: 'Tables and columns',
  search: 'Table or column',
  noSchema: (why: string) => `The tables could not be loaded: ${why}`,
  noneFound: 'No table or column has that name.',
  noScript: 'This page needs JavaScript. “npx chatledger sql” does the same on the command line.',
  open: 'Open in SQL',
};
