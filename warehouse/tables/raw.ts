// The table of the raw archive, which lies in a file of its own.
import { text, int, instant, account, type Table } from './table.ts';

/** The raw archive is a file of its own: what the source said, as received. Everything else can be made from it again. */
export const rawResponses: Table = {
  schema: 'raw',
  name: 'responses',
  comment: 'Bodies as received: for each question the newest answer of each UTC day on which it was asked.',
  columns: {
    account,
    path: text('path and query as sent'),
    received_on: { type: 'date', comment: 'UTC day of the answer' },
    received_at: instant('when the answer was received (UTC)'),
    source: text('report, list or archive'),
    status: int('HTTP status'),
    body: text('body as received'),
    pull_id: text('the pull that asked'),
  },
  key: ['account', 'path', 'received_on'],
  order: ['account', 'path', 'received_on'],
};
