// Every fault at every place of a pull: the first, a middle and the last request, pages, lists, reports by day, hour, group and agent.
// `npm run drill:positions -- [faults]`: nothing may be lost, and a fault may cost a fifth more requests at most.
import { faults, type NamedFault } from '#service/chaos/faults.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import type { Row } from '#warehouse/engine.ts';
import { pulledAccount, type PulledAccount } from '../etl/pulled.ts';
import scratch from '../scratch.ts';

const only = new Set(['archive', 'total_chats', 'availability', 'first_response_time', 'goals', 'chat_ranking']);
const until = '2026-11-18';
/** Late enough for everything to be asked again, also what was refused. */
const later = 25 * 3600;
/** These need another archive, or a field that this account does not have; the last changes a text and looks right. */
const elsewhere = new Set(['page_id_repeated', 'price_as_text', 'odd_letters']);

/** Where a fault is played, once: of the requests that fit the path, the one with this number. */
interface Position {
  name: string;
  path: string;
  nth: number;
}

/** `requests` of a pull without faults. */
const positionsOf = (requests: number): Position[] => [
  { name: 'first request', path: '*', nth: 1 },
  { name: 'middle request', path: '*', nth: Math.ceil(requests / 2) },
  { name: 'last request', path: '*', nth: requests },
  { name: 'first page', path: '/chats?*date_from=2026-11-17*', nth: 1 },
  { name: 'middle page', path: '/chats?*date_from=2026-11-17*&page=3', nth: 1 },
  { name: 'last page', path: '/chats?*date_from=2026-11-17*&page=5', nth: 1 },
  { name: 'list', path: '/agents', nth: 1 },
  { name: 'list of groups', path: '/groups', nth: 1 },
  { name: 'report by day', path: '/reports/*?*&group_by=day', nth: 3 },
  { name: 'report by hour', path: '/reports/*?*group_by=hour*', nth: 3 },
  { name: 'report of a group', path: '/reports/*?*group=*', nth: 20 },
  { name: 'report of an agent', path: '/reports/*?*agent=*', nth: 20 },
  { name: 'ranking', path: '/reports/chats/ratings/ranking*', nth: 2 },
  { name: 'goals', path: '/reports/chats/goals*', nth: 1 },
  { name: 'means', path: '/reports/chats/first_response_time*', nth: 1 },
  { name: 'hours', path: '/reports/availability*', nth: 1 },
];

/** What harms only pages, or only means, finds few of these places: it meets one fitting request after the other besides. */
const enough = 10;
const further = Array.from({ length: enough }, (_, index): Position => {
  const nth = index + 2;
  return { name: `fitting request ${nth}`, path: '*', nth };
});

type Content = Record<string, Row[]>;

/** Rows that are missing, and rows that should not be there or are there twice. */
function difference(truth: Content, found: Content): { lost: number; wrong: number } {
  let [lost, wrong] = [0, 0];
  for (const [table, rows] of Object.entries(truth)) {
    const left = new Map<string, number>();
    for (const row of found[table] ?? []) {
      const text = JSON.stringify(row);
      left.set(text, (left.get(text) ?? 0) + 1);
    }
    for (const row of rows) {
      const text = JSON.stringify(row);
      const times = left.get(text) ?? 0;
      if (times === 0) lost += 1;
      else left.set(text, times - 1);
    }
    for (const times of left.values()) wrong += times;
  }
  return { lost, wrong };
}

/** How a fault fared at a position. */
interface Fared {
  lost: number;
  wrong: number;
  /** Requests of the pull that met it, of those of an undisturbed one. */
  share: number;
}

async function meet(
  account: PulledAccount,
  { name, fault }: NamedFault,
  { path, nth }: Position,
  truth: Content,
  requests: number,
): Promise<Fared | undefined> {
  const script = [{ fault: name, path, nth }];
  account.service.chaos.follow(chaosPlan({ script, hold_seconds: 1, slow_seconds: 0.05, retry_after_seconds: 0 }));
  const warehouse = await account.warehouse();
  try {
    const outcome = await warehouse.pull(0, { only }).catch((error: unknown) => error);
    const { hit, arrived } = account.service.chaos.told();
    if (hit === 0) return undefined;
    if (outcome instanceof Error && name !== '401') throw outcome;
    const isOver = fault.effect === 'passing' || fault.effect === 'harmless';
    account.service.chaos.follow(null);
    if (!isOver) await warehouse.pull(later, { only });
    return { ...difference(truth, await warehouse.content(until)), share: arrived / requests };
  } finally {
    await warehouse.close();
  }
}

const names = process.argv.slice(2);
const met = faults.filter(({ name }) => (names.length > 0 ? names.includes(name) : !elsewhere.has(name)));
const tidy = scratch();
const account = await pulledAccount('2026-11-18T09:00:00Z', 4);
const clean = await account.warehouse();
const { requests } = await clean.pull(0, { only });
const truth = await clean.content(until);
await clean.close();

const told = (count: number | string): string => String(count).padStart(10);
process.stdout.write(`${'fault'.padEnd(22)}${['positions', 'lost', 'wrong', 'requests'].map(told).join('')}\n`);
const all: Fared[] = [];
for (const each of met) {
  const fared: Fared[] = [];
  for (const position of [...positionsOf(requests), ...further]) {
    if (further.includes(position) && fared.length >= enough) break;
    const found = await meet(account, each, position, truth, requests);
    if (!found) continue;
    fared.push(found);
    if (found.lost + found.wrong > 0)
      process.stdout.write(`  ${each.name} at ${position.name}: ${found.lost} lost, ${found.wrong} wrong\n`);
  }
  all.push(...fared);
  const sum = (of: (one: Fared) => number): number => fared.reduce((total, one) => total + of(one), 0);
  const most = Math.max(0, ...fared.map(({ share }) => share)).toFixed(3);
  process.stdout.write(
    `${each.name.padEnd(22)}${[fared.length, sum(({ lost }) => lost), sum(({ wrong }) => wrong), most].map(told).join('')}\n`,
  );
}
await account.close();
tidy();
const [lost, wrong] = [all.reduce((sum, one) => sum + one.lost, 0), all.reduce((sum, one) => sum + one.wrong, 0)];
const most = Math.max(...all.map(({ share }) => share));
process.stdout.write(
  `${met.length} faults, ${all.length} meetings: ${lost} rows lost, ${wrong} wrong or there twice; at most ${most.toFixed(3)} of the ${requests} requests of an undisturbed pull\n`,
);
process.exitCode = lost + wrong > 0 || most > 1.2 ? 1 : 0;
