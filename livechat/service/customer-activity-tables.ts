// How many threads each customer has and when the last lines were, as columns of customers: the list of customers is read by an index in
// any order.
import type { DatabaseSync } from 'node:sqlite';

/** 0 is no line. `due` is the instant from which on the others are to be computed again, null when nothing lies ahead. */
const columns = {
  threads: 'integer not null default 0',
  agent_last: 'integer not null default 0',
  customer_last: 'integer not null default 0',
  due: 'integer default 0',
};

const outdated = 'update customers set due = 0 where visitor_id = new.visitor_id and due is not 0';

const indexes = `
  create index if not exists customers_by_threads on customers (threads, created, id);
  create index if not exists customers_by_agent_last on customers (agent_last, created, id);
  create index if not exists customers_by_customer_last on customers (customer_last, created, id);
  create index if not exists customers_by_name on customers (name, created, id);
  create index if not exists customers_by_email on customers (email, created, id);
  create index if not exists customers_by_country on customers (country, created, id);
  create index if not exists customers_by_country_code on customers (country_code, created, id);
  create index if not exists customers_due on customers (due) where due is not null;
  create trigger if not exists customer_has_chat after insert on chats begin ${outdated}; end;
  create trigger if not exists customer_chat_goes_on after update of started, agent_last, customer_last on chats
  when (new.started, new.agent_last, new.customer_last) is not (old.started, old.agent_last, old.customer_last) begin
    ${outdated};
  end;
`;

/** Makes the columns where they are missing; customers and chats exist. */
export function createCustomerActivity(sqlite: DatabaseSync) {
  const known = () => sqlite.prepare("select name from pragma_table_info('customers') where name = 'due'").get();
  if (!known()) {
    sqlite.exec('begin immediate');
    // Another process may have made them since.
    if (!known())
      for (const [name, kind] of Object.entries(columns))
        sqlite.exec(`alter table customers add column ${name} ${kind}`);
    sqlite.exec('commit');
  }
  sqlite.exec(indexes);
  const due = sqlite.prepare('select 1 from customers where due <= ? limit 1');
  const last = (column: string): string =>
    `coalesce(max(case when started <= $now and ${column} <= $now then ${column} end), 0)`;
  const ahead = (column: string): string => `case when ${column} > $now then ${column} else $never end`;
  const compute = sqlite.prepare(`
    update customers set (threads, agent_last, customer_last, due) = (
      select count(case when started <= $now then 1 end), ${last('chats.agent_last')}, ${last('chats.customer_last')},
        nullif(min(min(${['started', 'chats.agent_last', 'chats.customer_last'].map(ahead).join()})), $never)
      from chats where visitor_id = customers.visitor_id
    ) where due <= $now`);

  return {
    /** Brings the columns up to the clock; call it before reading them. */
    upTo(now: number): void {
      if (due.get(now)) compute.run({ now, never: Number.MAX_SAFE_INTEGER });
    },
  };
}
