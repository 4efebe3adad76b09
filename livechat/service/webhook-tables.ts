// The webhooks of the account as SQLite tables: registrations, deliveries that are due, and deliveries that were given up.
import type { DatabaseSync } from 'node:sqlite';

export interface WebhookRow {
  id: string;
  owner_client_id: string;
  action: string;
  url: string;
  secret_key: string;
  type: 'license' | 'bot';
  description: string | null;
  filters: object | null;
  additional_data: string[];
}

interface DeliveryRow {
  /** Order of the deliveries. */
  position: number;
  /** The same for each attempt, so that a receiver can drop what it already has. */
  id: string;
  webhook_id: string;
  /** What is delivered in order. */
  lane: string;
  action: string;
  body: string;
  attempts: number;
}

/** A delivery that was given up. */
interface FailureRow extends Omit<DeliveryRow, 'lane'> {
  chat_id: string | null;
  reason: string;
  /** Unix seconds. */
  at: number;
}

const tables = `
  create table if not exists webhooks (
    position integer primary key autoincrement, id text not null unique, owner_client_id text not null, action text not null,
    url text not null, secret_key text not null, type text not null, description text, filters text, additional_data text not null
  );
  create index if not exists webhooks_of_action on webhooks (action);
  create index if not exists webhooks_of_client on webhooks (owner_client_id, action);
  create table if not exists webhook_clients (client_id text primary key) without rowid;
  create table if not exists webhook_deliveries (
    position integer primary key autoincrement, id text not null, webhook_id text not null, lane text not null,
    action text not null, body text not null, attempts integer not null default 0, due integer
  );
  create index if not exists webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, lane);
  create index if not exists webhook_deliveries_of_lane on webhook_deliveries (lane, position);
  create index if not exists webhook_deliveries_due on webhook_deliveries (due) where due is not null;
  create table if not exists webhook_failures (
    position integer primary key, id text not null, webhook_id text not null, chat_id text, action text not null,
    body text not null, attempts integer not null, reason text not null, at integer not null
  );
  create index if not exists webhook_failures_of on webhook_failures (webhook_id, position);
`;

/** Of the failures of a webhook, the newest are kept. */
const most_failures = 1000;
/** Deliveries of a webhook that wait; the next ones are given up at once. */
export const most_waiting = 10_000;

const columns = 'id, owner_client_id, action, url, secret_key, type, description, filters, additional_data';

/** Reads and writes the tables; the caller opens the transaction before writing. */
export function createWebhookTables(sqlite: DatabaseSync) {
  sqlite.exec(tables);
  const run = {
    add: sqlite.prepare(`insert into webhooks (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    remove: sqlite.prepare('delete from webhooks where id = ?'),
    clear: sqlite.prepare('delete from webhook_deliveries where webhook_id = ?'),
    forget: sqlite.prepare('delete from webhook_failures where webhook_id = ?'),
    enable: sqlite.prepare('insert or ignore into webhook_clients (client_id) values (?)'),
    disable: sqlite.prepare('delete from webhook_clients where client_id = ?'),
    queue: sqlite.prepare(
      'insert into webhook_deliveries (id, webhook_id, lane, action, body, due) values (?, ?, ?, ?, ?, ' +
        'case when exists (select 1 from webhook_deliveries where lane = ?) then null else ? end)',
    ),
    retry: sqlite.prepare('update webhook_deliveries set attempts = attempts + 1, due = ? where position = ?'),
    done: sqlite.prepare('delete from webhook_deliveries where position = ?'),
    next: sqlite.prepare(
      'update webhook_deliveries set due = ? where due is null and position = ' +
        '(select min(position) from webhook_deliveries where lane = ?)',
    ),
    fail: sqlite.prepare(
      'insert into webhook_failures (id, webhook_id, chat_id, action, body, attempts, reason, at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    shorten: sqlite.prepare(
      'delete from webhook_failures where webhook_id = ? and position <= (select position from webhook_failures ' +
        `where webhook_id = ? order by position desc limit 1 offset ${most_failures})`,
    ),
  };
  const find = {
    one: sqlite.prepare(`select ${columns} from webhooks where id = ?`),
    ofAction: sqlite.prepare(`select ${columns} from webhooks where action = ? order by position`),
    ofClient: sqlite.prepare(`select ${columns} from webhooks where owner_client_id = ? order by position`),
    enabled: sqlite.prepare('select 1 from webhook_clients where client_id = ?'),
    full: sqlite.prepare(`select 1 from webhook_deliveries where webhook_id = ? limit 1 offset ${most_waiting - 1}`),
    due: sqlite.prepare(
      'select position, id, webhook_id, lane, action, body, attempts from webhook_deliveries where due <= ? ' +
        'and webhook_id not in (select value from json_each(?)) order by due, position limit 100',
    ),
    lanes: sqlite.prepare('select distinct lane from webhook_deliveries where webhook_id = ?'),
    failures: sqlite.prepare(
      'select position, id, webhook_id, chat_id, action, body, attempts, reason, at from webhook_failures ' +
        'where webhook_id = ? and position < ? order by position desc limit ?',
    ),
  };
  const actions = sqlite.prepare('select distinct action from webhooks');
  let asked: ReadonlySet<string> | undefined;
  let listener: ((position: number) => void) | undefined;

  const rowOf = (row: Record<string, unknown>): WebhookRow =>
    ({
      ...row,
      filters: row.filters === null ? null : (JSON.parse(String(row.filters)) as object),
      additional_data: JSON.parse(String(row.additional_data)) as string[],
    }) as WebhookRow;
  const putFailure = (failed: Omit<FailureRow, 'position'>): void => {
    const { id, webhook_id, chat_id, action, body, attempts, reason, at } = failed;
    run.fail.run(id, webhook_id, chat_id, action, body, attempts, reason, at);
    run.shorten.run(webhook_id, webhook_id);
  };
  /** The lane goes on with its next delivery. */
  const moveOn = ({ position, lane }: DeliveryRow, now: number): void => {
    run.done.run(position);
    run.next.run(now, lane);
  };

  return {
    add({ id, owner_client_id, action, url, secret_key, type, description, filters, additional_data }: WebhookRow) {
      const told = [filters && JSON.stringify(filters), JSON.stringify(additional_data)];
      run.add.run(id, owner_client_id, action, url, secret_key, type, description, ...told);
      asked = undefined;
    },
    /** Removes the webhook with its deliveries and failures; other deliveries of their lanes go on. */
    remove(id: string, now: number): void {
      const lanes = find.lanes.all(id).map(({ lane }) => String(lane));
      for (const statement of [run.remove, run.clear, run.forget]) statement.run(id);
      for (const lane of lanes) run.next.run(now, lane);
      asked = undefined;
    },
    one(id: string): WebhookRow | undefined {
      const row = find.one.get(id);
      return row && rowOf(row);
    },
    /** Whether a webhook asks for this; by what this process has written. */
    isAsked: (action: string): boolean =>
      (asked ??= new Set(actions.all().map((row) => String(row.action)))).has(action),
    /** What was registered within a transaction that is rolled back has not been. */
    forget(): void {
      asked = undefined;
    },
    ofAction: (action: string): WebhookRow[] => find.ofAction.all(action).map(rowOf),
    ofClient: (client_id: string): WebhookRow[] => find.ofClient.all(client_id).map(rowOf),
    /** Whether the webhooks of this client that are meant for the whole license are on. */
    isEnabled: (client_id: string): boolean => find.enabled.get(client_id) !== undefined,
    setEnabled(client_id: string, is_enabled: boolean): void {
      (is_enabled ? run.enable : run.disable).run(client_id);
    },
    /** Adds a delivery behind those of its lane, or gives it up when too many of the webhook wait. */
    queue(delivery: Omit<DeliveryRow, 'position' | 'attempts'>, chat_id: string | null, now: number): void {
      const { id, webhook_id, lane, action, body } = delivery;
      if (find.full.get(webhook_id)) {
        const reason = `${most_waiting} deliveries were waiting`;
        putFailure({ id, webhook_id, chat_id, action, body, attempts: 0, reason, at: now });
        return;
      }
      const { lastInsertRowid } = run.queue.run(id, webhook_id, lane, action, body, lane, now);
      listener?.(Number(lastInsertRowid));
    },
    /** Deliveries to attempt now, the first of each lane, without those of the webhooks in `but`. */
    due: (now: number, but: readonly string[]): DeliveryRow[] =>
      find.due.all(now, JSON.stringify(but)) as unknown as DeliveryRow[],
    delivered: moveOn,
    retryAt(position: number, due: number): void {
      run.retry.run(due, position);
    },
    giveUp(delivery: DeliveryRow, chat_id: string | null, reason: string, now: number): void {
      const { id, webhook_id, action, body, attempts } = delivery;
      putFailure({ id, webhook_id, chat_id, action, body, attempts: attempts + 1, reason, at: now });
      moveOn(delivery, now);
    },
    /** The newest first, those before a position. */
    failures: (webhook_id: string, before: number, limit: number): FailureRow[] =>
      find.failures.all(webhook_id, before, limit) as unknown as FailureRow[],
    /** `onQueued` is called with the position of each delivery, within the transaction that adds it. */
    listen(onQueued: (position: number) => void): void {
      listener = onQueued;
    },
  };
}
