// Texts of the list of saved views.

export const viewsWords = {
  none: 'No views are saved yet.',
  name: 'Name',
  save: 'Save',
  replace: 'Replace',
  saveThis: 'Save this page with its filters',
  rename: 'Rename',
  remove: 'Remove',
  undo: 'Undo',
  saved: (name: string) => `“${name}” is saved.`,
  renamed: (name: string) => `It is called “${name}” now.`,
  removed: (name: string) => `“${name}” is removed.`,
};
