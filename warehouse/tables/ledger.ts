// The ledger: pulls, requests, what is known of each day, what was set aside and what was reconciled.
import { text, int, double, instant, maybe, account, type Column, type Table } from './table.ts';

const ledgerTable = (name: string, comment: string, columns: Record<string, Column>, key: string[]): Table => ({
  schema: 'ledger',
  name,
  comment,
  columns: { account, ...columns },
  key: ['account', ...key],
  order: ['account', ...key],
});

export const ledger: readonly Table[] = [
  ledgerTable(
    'pulls',
    'One row per run of the pull.',
    {
      pull_id: text('id of the pull'),
      started_at: instant('start (UTC)'),
      ended_at: maybe(instant('end (UTC); null while it runs or when it was cut off')),
      state: text('running, done, failed or cut_off'),
      requests: int('requests sent'),
      chats_new: int('chats seen for the first time'),
      chats_changed: int('chats whose content changed'),
      chats_unchanged: int('chats that were the same'),
      error: maybe(text('what went wrong, in one sentence')),
    },
    ['pull_id'],
  ),
  ledgerTable(
    'requests',
    'One row per request of a pull.',
    {
      pull_id: text('id of the pull'),
      sequence: int('1-based number within the pull'),
      source: text('report or list that was asked, or archive'),
      path: text('path and query as sent'),
      status: int('HTTP status; 0 when no answer came'),
      attempts: int('tries until this outcome'),
      bytes: int('bytes of the body'),
      milliseconds: int('time to the last byte'),
      asked_at: instant('when it was sent (UTC)'),
      error: maybe(text('what went wrong')),
    },
    ['pull_id', 'sequence'],
  ),
  ledgerTable(
    'periods',
    'What has been pulled: one row per source, split and local day.',
    {
      timezone: text('IANA zone of the day'),
      source: text('report name, or archive'),
      grain: text('day or hour; day for the archive'),
      split: text('account, group or agent'),
      split_value: text('group id or agent login; empty for the whole account'),
      day: { type: 'date', comment: 'local day' },
      state: text('pulled, failed, not_in_plan, gone or quarantined'),
      pulled_at: instant('when it was last received (UTC)'),
      first_pulled_at: instant('when it was first received (UTC)'),
      changed_at: instant('when its content last changed (UTC)'),
      hash: text('hash of the content, to see a change'),
      rows: int('rows it gave'),
      total: maybe(int('for the archive: the total that the source named')),
      pull_id: text('the pull that last brought it'),
      error: maybe(text('what went wrong')),
    },
    ['timezone', 'source', 'grain', 'split', 'split_value', 'day'],
  ),
  ledgerTable(
    'quarantine',
    'Records that could not be decoded; their raw bytes are kept in the archive.',
    {
      source: text('report name, list or archive'),
      record_id: text('chat id or period'),
      reason: text('what is wrong with it'),
      body: text('the record as received'),
      seen_at: instant('when it was received (UTC)'),
      pull_id: text('the pull that met it'),
    },
    ['source', 'record_id'],
  ),
  ledgerTable(
    'reconciliation',
    'Recomputed against reported: one row per cell, with the first reason that fits.',
    {
      metric: text('metric'),
      timezone: text('IANA zone of the cell'),
      grain: text('day or hour'),
      split: text('account, group or agent'),
      split_value: text('group id or agent login; empty for the whole account'),
      period: text('local period: YYYY-MM-DD or YYYY-MM-DD HH:00'),
      day: { type: 'date', comment: 'local day of the period' },
      measure: text(
        'the number that decides: the first that differs, else the first; a currency or agent after a colon',
      ),
      reported: maybe(double('as the source says it')),
      recomputed: maybe(double('from the archived chats, rounded as the report rounds')),
      difference: maybe(double('reported minus recomputed; null when one of them is null')),
      reason: text('not_pulled, settling, capped, changed_after, agent_removed, equal, rounding, edge or unexplained'),
      checked_at: instant('when the two were compared (UTC)'),
    },
    ['metric', 'timezone', 'grain', 'split', 'split_value', 'period'],
  ),
];

/** What the file says about itself; these belong to no account. */
export const about: readonly Table[] = [
  {
    schema: 'ledger',
    name: 'versions',
    comment: 'Versions of the warehouse that this file went through; the highest is the current one.',
    columns: { version: int('version of tables and columns'), migrated_at: instant('when it was reached (UTC)') },
    key: ['version'],
    order: ['version'],
  },
  {
    schema: 'ledger',
    name: 'snapshot',
    comment: 'In a published file: which snapshot it is. Empty in the private file of the writer.',
    columns: {
      snapshot_id: text('id of the snapshot, sortable by time'),
      published_at: instant('when it was published (UTC)'),
    },
    key: ['snapshot_id'],
    order: ['snapshot_id'],
  },
];
