// Makes a data folder with a generated account that reaches to this moment, to look at its pages with `chatledger serve`.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '#server/folder.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { elapsed, shown } from './clock.ts';
import { days, make, zone, type Calendar } from './generate.ts';

const day_ms = 86_400_000;
const long = 'of a name that is as long as names of people and teams become in real accounts';

/** Realistic names: mostly short, every twentieth with 80 characters or more, some written from right to left. */
const names = (word: string, number: string): string =>
  `case when ${number} % 20 = 7 then '${word} ' || ${number} || ' ${long}' ` +
  `when ${number} % 20 = 11 then 'וכיל ' || ${number} else '${word} ' || ${number} end`;

/** What a pull receives before the chats: agents, groups, tags. */
const lists: readonly string[] = [
  `insert into account.agents (account, login, name, permission, status, is_removed, pulled_at)
select 'default', 'agent' || lpad(cast(range as varchar), 3, '0') || '@example.com', ${names('Agent', 'range')}, 'normal', 'accepting chats', false, now()
from range(200)`,
  `insert into account.groups (account, group_id, name, language, status, pulled_at)
select 'default', range, ${names('Group', 'range')}, 'en', 'accepting chats', now()
from range(20)`,
  `insert into account.tags (account, name, group_id, author, in_chats, in_tickets, created_at, pulled_at)
select 'default', 'tag-' || range, 0, 'agent000@example.com', 0, 0, now(), now()
from range(40)`,
  `insert into ledger.pulls (account, pull_id, started_at, ended_at, state, requests, chats_new, chats_changed, chats_unchanged)
values ('default', 'p-1', now() - interval 2 minute, now() - interval 1 minute, 'done', 900, 900, 0, 0)`,
];

/** The listed days moved so that the last pulled one is today. */
function untilNow(now: number): Calendar {
  const pulled_last = Date.parse(days.last) + 19 * day_ms;
  return { later: Math.floor((now - pulled_last) / day_ms), until: Math.floor(now / 1000), pulled: now / 1000 - 60 };
}

/** Creates a new folder, and returns how to serve it. `keepsWarehouse`: the published file also stays as the writer's file. */
export async function benchFolder(chats: number, path: string, { keepsWarehouse = false } = {}): Promise<void> {
  const now = Date.now();
  if (existsSync(join(path, 'published'))) throw new Error(`${path} is there already: remove it, or name another`);
  const folder = openFolder(path);
  const calendar = untilNow(now);
  const time = await elapsed(async () => {
    await make(folder.warehouse, chats, calendar);
    const engine = await openWarehouse(folder.warehouse);
    try {
      for (const statement of lists) await engine.exec(statement);
      await publish(engine, folder.published, now);
    } finally {
      await engine.close();
    }
  });
  if (!keepsWarehouse) rmSync(folder.warehouse, { force: true });
  const first = new Date(Date.parse(days.first) + calendar.later * day_ms).toISOString().slice(0, 10);
  folder.keep(() => ({ since: { default: first } }));
  console.log(`generated and published ${chats} chats in ${shown(time / 1000)} s; look at them with`);
  console.log(`CHATLEDGER_DATA=${path} CHATLEDGER_TIMEZONE=${zone} npx chatledger serve`);
}
