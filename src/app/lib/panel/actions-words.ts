// Texts of a panel's actions and of its exported picture.

export const actionsWords = {
  why: 'Why?',
  receipt: 'Where the number comes from',
  table: 'Show as a table',
  annotate: 'Notes on days',
  board: 'Add to a board',
  link: 'Copy link',
  call: 'Copy API call',
  copied: 'Copied',
  notCopied: 'The browser did not allow it',
  picture: 'Picture',
  numbers: 'Numbers',
  failed: 'The picture could not be made',
};

export const pictureWords = {
  source: (account: string, moment: string, name: string) => `${account} · as of ${moment} · ${name}`,
};
