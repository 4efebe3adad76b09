// Texts of the dialog with notes on days.

export const notesWords = {
  sentence: 'Everybody sees them, as flags on each chart over time of this account.',
  day: 'Day',
  text: 'What happened',
  save: 'Add',
  saveChange: 'Save',
  change: 'Change',
  remove: 'Remove',
  close: 'Close',
  /** By the name of the field in which a text is written. */
  problem: (told: string) => told.replace(/^text:/, 'What happened:'),
  saved: 'Saved.',
  savedOutside: 'Saved. The page does not show that day: choose dates with it to see the note.',
  removed: 'Removed.',
};
