// Texts of a board’s page.

export const boardWords = {
  own: 'Yours alone',
  ownForAll: 'Yours, and everybody sees it',
  by: (name: string) => (name ? `By ${name}, for everybody` : 'For everybody'),
  notThere: 'There is no such board, or it is not yours to see.',
  edit: 'Edit',
  done: 'Done',
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
