// Texts of a board’s page.
import { boardRemarks } from '#dashboards/board-words.ts';

const { query } = boardRemarks;

export const boardWords = {
  own: 'Yours alone',
  ownForAll: 'Yours, and everybody sees it',
  by: (name: string) => (name ? `By ${name}, for everybody` : 'For everybody'),
  notThere: 'There is no such board, or you may not see it.',
  edit: 'Edit',
  done: 'Done',
  makeCopy: 'Make a copy',
  copy: 'Copy link',
  copied: 'Copied',
  notCopied: 'The browser did not allow it',
  empty: {
    title: 'This board has no panels yet',
    own: 'Press “Edit” and choose panels, or open the menu of any panel on another page and press “Add to a board”.',
    others: 'Whoever made it has not chosen any yet.',
    nothing: 'Nothing of this board can be shown to you',
  },
};

/** Of a saved query that stands on a board. */
export const queryWords = {
  ...query,
  by: (name: string, isOwn: boolean) => query.by(isOwn ? 'you' : name),
  open: 'Open in SQL',
  runs: 'The query runs…',
  rowsOf: (name: string) => `Rows of ${name}`,
  first: (count: string, isOfPage: boolean) =>
    `The first ${count} rows; “Open in SQL” shows all${isOfPage ? ' of the values that it was saved with' : ''}.`,
  gone: 'This query was deleted, or is not shared any more.',
  mayNot: 'This is a saved query: it is shown to those who may run SQL and see every account, agent and name.',
};
