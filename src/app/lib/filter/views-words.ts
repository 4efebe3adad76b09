// Texts of the list of saved views.

export const viewsWords = {
  none: 'No views are saved yet.',
  name: 'Name',
  save: 'Save',
  replace: 'Replace',
  saveThis: 'Save this page with its filters',
  rename: 'Rename',
  pin: 'In the menu',
  pinned: (name: string) => `“${name}” stands in the menu now.`,
  unpinned: (name: string) => `“${name}” is out of the menu.`,
  copy: 'Copy link',
  copied: (name: string) => `The link to “${name}” is copied.`,
  notCopied: 'The browser did not allow it.',
  remove: 'Remove',
  undo: 'Undo',
  saved: (name: string) => `“${name}” is saved.`,
  renamed: (name: string) => `It is called “${name}” now.`,
  removed: (name: string) => `“${name}” is removed.`,
};
