// How many threads each customer has, in which groups, and when the last lines were, as columns of customers.
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/**
 * 0 is no line; `groups` is a JSON array, ascending. `due` is the instant from which on the others are to be computed again, null when
 * nothing lies ahead.
 */
const columns = {
  threads: 'integer not null default 0',
  agent_last: 'integer not null default 0',
  customer_last: 'integer not null default 0',
  due: 'integer default 0',
  groups: "text not null default '[]'",
};

const outdated = 'update customers set due = 0 where visitor_id = new.visitor_id and due is not 0';
const of = (chat: string): string =>
  `(${chat}.started, ${chat}.agent_last, ${chat}.customer_last, json_extract(${chat}.light, '$.groups'))`;

const indexes = `
  create index if not exists customers_by_name on customers (name, created, id);
  create index if not exists customers_by_email on customers (email, created, id);
  create index if not exists customers_due on customers (due) where due is not null;
  create trigger if not exists customer_has_chat after insert on chats begin ${outdated}; end;
  create trigger if not exists customer_chat_changes after update of started, agent_last, customer_last, light on chats
  when ${of('new')} is not ${of('old')} begin
    ${outdated};
  end;
`;

/** Of a file whose lists were read by indexes, and knew no groups. */
const drop = `${['by_threads', 'by_agent_last', 'by_customer_last', 'by_country', 'by_country_code']
  .map((name) => `drop index if exists customers_${name};`)
  .join('\n')}
  drop trigger if exists customer_chat_goes_on;
  drop trigger if exists customer_counts;
  drop table if exists customer_count;
`;

/** Makes the columns where they are missing; customers and chats exist. */
export function createCustomerActivity(sqlite: DatabaseSync) {
  const missing = () => {
    const known = sqlite.prepare("select name from pragma_table_info('customers')").all();
    return Object.entries(columns).filter(([column]) => !known.some(({ name }) => name === column));
  };
  if (missing().length > 0) {
    inTransaction(sqlite, () => {
      // Another process may have made them since.
      const lacking = missing();
      for (const [name, kind] of lacking) sqlite.exec(`alter table customers add column ${name} ${kind}`);
      if (lacking.length > 0) sqlite.exec(`${drop} update customers set due = 0 where due is not 0`);
    });
  }
  sqlite.exec(indexes);
  const due = sqlite.prepare('select 1 from customers where due <= ? limit 1');
  const last = (column: string): string =>
    `coalesce(max(case when started <= $now and ${column} <= $now then ${column} end), 0)`;
  const ahead = (column: string): string => `case when ${column} > $now then ${column} else $never end`;
  const compute = sqlite.prepare(`
    update customers set groups = (
      select json_group_array(value) from (
        select distinct value from chats, json_each(light, '$.groups')
        where visitor_id = customers.visitor_id and started <= $now order by value)
    ), (threads, agent_last, customer_last, due) = (
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
