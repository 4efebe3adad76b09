// The texts of the page on which a visitor is erased.
import type { Counts } from '#api/contract/erasures.ts';

export const eraseWords = {
  title: 'Erase',
  sentence:
    'Erases a visitor from everything that is kept: conversations, the raw archive, every kept snapshot. Numbers stay as they are, and that is proved each time.',
  find: {
    title: 'Whom',
    label: 'Visitor id or e-mail address',
    hint: 'The id stands on the page of a conversation.',
    submit: 'Look up',
    busy: 'Looking…',
  },
  found: {
    title: 'What would be erased',
    person: (ids: string, names: string) => (names ? `${ids}, known as ${names}` : ids),
    rows: (counts: Counts): [word: string, count: number][] => [
      ['Conversations', counts.chats],
      ['Rows of the warehouse', Object.values(counts.rows).reduce((sum, rows) => sum + rows, 0)],
      ['Records of the raw archive', counts.raw_records],
      ['Pages of the raw archive', counts.raw_pages],
      ['Answers that could not be read', counts.raw_unreadable],
      ['Records set aside', counts.set_aside],
      ['Texts of others with an address', counts.mentions],
      ['Kept snapshots', counts.snapshots_rewritten],
    ],
    notes: 'Notes and saved views',
    removed: 'Files that are removed',
    not: 'What cannot be erased',
    confirm: (word: string) => `Write ${word} once more`,
    submit: 'Erase for ever',
    busy: 'Beginning…',
  },
  running: (what: string, done: string, total: string) => `Erasing: ${what} (${done} of ${total})`,
  problem: (sentence: string) => `The last one came to nothing: ${sentence}`,
  list: {
    title: 'What was erased',
    sentence: 'Nobody is named here: a person is kept as a salted hash.',
    none: 'Nothing has been erased yet.',
    columns: ['When', 'By', 'Conversations', 'Snapshots', 'Numbers compared', 'Not erased'],
    placing: 'being put in place',
  },
  failed: 'The list of erasures cannot be loaded.',
};
