// Texts of the list of boards, of choosing one, and of editing it.

export const listWords = {
  title: 'Boards',
  sentence: 'Panels of any page together on one of your own, in the order and size that you choose.',
  none: 'There are no boards yet',
  how: [
    'Name one here, and choose its panels.',
    'Or open the menu of any panel, on any page, and press “Add to a board”.',
    'A board has the filters of a page. It can be shown on a TV, taken as a PDF, shared, and sent as a scheduled report.',
  ],
  name: 'Name',
  /** By the name of the field in which a title is written. */
  problem: (told: string) => told.replace(/^title:/, 'Name:'),
  make: 'Make a board',
  newName: 'Name of the new board',
  panels: (count: number) => (count === 1 ? '1 panel' : `${count} panels`),
  failedToLoad: 'The boards could not be loaded.',
  named: (title: string) => `Board “${title}”`,
  lost: 'A board that is not there any more, or not yours to see',
  inMenu: 'In the menu',
  intoMenu: 'Put into the menu',
  outOfMenu: 'Take out of the menu',
};

export const addWords = {
  title: 'Add to a board',
  close: 'Close',
  about: (panel: string) => `“${panel}” will stand at the end of the board.`,
  isThere: 'is there already',
  isFull: (most: number) => `is full: a board holds ${most} panels`,
  onto: (board: string) => `Add to ${board}`,
  added: (panel: string, board: string) => `“${panel}” is on “${board}”.`,
  open: 'Open the board',
  or: 'Or onto a new board',
  make: 'Make it and add',
};

export const copyWords = {
  /** Of the title. */
  end: (count: number) => (count === 1 ? ' (copy)' : ` (copy ${count})`),
  made: (without: number) => {
    if (without === 0) return 'This is your copy.';
    const left = without === 1 ? 'one panel is left out, which is' : `${without} panels are left out, which are`;
    return `This is your copy; ${left} not there any more or not yours to place.`;
  },
};

export const editorWords = {
  title: 'Edit this board',
  rename: 'Rename',
  renamed: (title: string) => `It is called “${title}” now.`,
  shared: 'Everybody who signs in sees this board, each with their own rights',
  isShared: 'Everybody sees this board now.',
  isOwn: 'It is yours alone again.',
  order: 'Panels in order',
  ownTitle: 'Title here',
  size: 'Size',
  sizes: { tile: 'Number', half: 'Half', full: 'Full width' },
  split: 'Split by',
  asFiltered: 'As filtered',
  up: 'Move up',
  down: 'Move down',
  drag: 'Drag to another place',
  remove: 'Remove',
  removed: (name: string) => `“${name}” is removed.`,
  undo: 'Undo',
  back: (name: string) => `“${name}” is back.`,
  moved: (name: string, at: number, all: number) => `“${name}” is ${at} of ${all} now.`,
  saved: 'Saved.',
  gone: 'There is no such panel any more',
  query: 'Saved query, below the panels of pages',
  queries: 'Saved queries',
  noQueries: (why: string) => `Saved queries are not in the list: ${why}`,
  none: 'No panels yet: choose one here, or press “Add to a board” in the menu of any panel on another page.',
  add: 'Add a panel',
  put: 'Add',
  choose: 'Choose a panel…',
  added: (name: string) => `“${name}” stands at the end.`,
  full: (most: number) => `The board is full: it holds ${most} panels. Remove one to add another.`,
  removeBoard: 'Remove this board',
  removeSure: (title: string) => `Remove the board “${title}”? Its panels stay on their pages.`,
  load: 'Load it again',
};
