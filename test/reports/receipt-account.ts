// Small accounts for receipts: random chats over a daylight-saving switch, and stored answers for every report.
import fc from 'fast-check';
import type { Row, Store } from '#warehouse/engine.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import { keepAllOpenHours, setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { slots } from '#warehouse/periods.ts';
import { tables, tableOf } from '#warehouse/tables/tables.ts';
import { addChats, insert, pulled, pulledOfAll, type Chat } from '../warehouse/account.ts';

/** The account's own zone: its clocks change on the second of the days. */
export const zone = 'Europe/Warsaw';
export const zones = [zone, 'UTC', 'Asia/Kathmandu'] as const;
export const range = { from: '2026-03-28', to: '2026-03-30' };
export const agents = ['a@x.test', 'b@x.test', "o'neil@x.test"];
export const groups = [0, 3];
export const tagNames = ['one', 'One', "'; drop table facts.chats; --"];

/** Of the custom variable `plan`, which is declared. */
export const plans = ['free', 'pro: "max", 😀'];

const first = Date.parse('2026-03-27T22:00:00Z');
const instant = fc.integer({ min: 0, max: 3 * 86_400 }).map((second) => new Date(first + second * 1000).toISOString());
const money = fc.record(
  { price: fc.constantFrom('10.25', '0', '3.5'), currency: fc.constantFrom('USD', 'EUR', '') },
  { requiredKeys: [] },
);
const goal = fc
  .tuple(fc.record({ id: fc.constantFrom(4, 5), at: instant, sale: fc.boolean() }), money)
  .map(([record, worth]) => ({ ...record, ...worth }));

/** One who answered first is listed, and so is everybody who closed a turn. */
const chat: fc.Arbitrary<Chat> = fc
  .record(
    {
      start: instant,
      seconds: fc.constantFrom(0, 1, 59, 600, 5000, 40_000),
      agents: fc.uniqueArray(fc.constantFrom(...agents), { minLength: 1, maxLength: 3 }),
      groups: fc.uniqueArray(fc.constantFrom(...groups), { maxLength: 2 }),
      tags: fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 2 }),
      rate: fc.constantFrom('rated_good', 'rated_bad', 'rated', 'not_rated'),
      engagement: fc.constantFrom('auto_invite', 'manual_invite', 'immediate_start', 'other'),
      queue: fc.constantFrom(0, 7, 30, 31, 300),
      isReplied: fc.boolean(),
      response: fc.integer({ min: 0, max: 500 }),
      turned: fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 4 })), { maxLength: 3 }),
      country: fc.constantFrom('Poland', 'Chile'),
      variables: fc.constantFrom(...plans.map((plan) => new Map([['plan', plan]]))),
      visitor: fc.constantFrom('V1', 'V2'),
      goals: fc.array(goal, { maxLength: 3 }),
    },
    { requiredKeys: ['start', 'agents'] },
  )
  .map(({ response, turned, ...rest }): Chat => {
    const turns = Object.fromEntries((turned ?? []).map((turn, at) => [rest.agents[at % rest.agents.length], turn]));
    return {
      ...(rest as Chat),
      ...(response === undefined ? {} : { first: [response, rest.agents.at(-1) ?? ''] }),
      ...(turned === undefined ? {} : { turns }),
    };
  });

export const chats: fc.Arbitrary<Chat[]> = fc.array(chat, { maxLength: 14 });

/** A number from 0 to `most` that looks like chance and is always the same. */
const chance = (seed: string, most: number): number => {
  let hash = 2166136261;
  for (const sign of seed) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619);
  return (hash >>> 8) % (most + 1);
};

function waitsOf(name: string, seed: string): Row {
  const count = chance(seed, 4);
  if (count === 0) return { [`${name}_count`]: 0 };
  const [low, spread] = [chance(`${seed} low`, 40), count === 1 ? 0 : chance(`${seed} high`, 60)];
  const average = low + Math.round(spread / 2);
  return {
    [`${name}_count`]: count,
    [`${name}_min`]: low,
    [`${name}_max`]: low + spread,
    [`${name}_average`]: average,
  };
}

function storedRow(table: string, seed: string): Row {
  if (table === 'waiting_times')
    return { ...waitsOf('queued', `${seed} q`), ...waitsOf('left_queue', `${seed} l`), entered_chat_count: 0 };
  const row: Row = {};
  for (const [name, { type }] of Object.entries(tableOf('reports', table).columns))
    if ((type === 'int' || type === 'double') && name !== 'sales_tracker') row[name] = chance(`${seed} ${name}`, 9);
  return table.endsWith('_ranking') ? { ...row, agent: agents[0] ?? '' } : row;
}

/** Every report by day and hour, for the account, its groups and its agents. */
async function addReports(engine: Store): Promise<void> {
  const whose = { account: [''], group: groups.map(String), agent: agents };
  const pulledOf: Row[] = [];
  for (const { name, schema } of tables) {
    if (schema !== 'reports') continue;
    const rows: Row[] = [];
    for (const grain of ['day', 'hour'] as const)
      for (const [split, values] of Object.entries(whose))
        for (const split_value of values) {
          const at = { timezone: zone, grain, split, split_value };
          for (const { period = '' } of slots(zone, range.from, range.to, grain, []))
            rows.push({
              ...at,
              period,
              day: period.slice(0, 10),
              pull_id: 'P2',
              ...storedRow(name, `${name} ${grain} ${split_value} ${period}`),
            });
          pulledOf.push({ source: name, ...at });
        }
    await insert(engine, 'reports', name, rows);
  }
  await pulledOfAll(engine, zone, '2026-03-20', '2026-04-05', '2027-02-01T00:00:00Z', pulledOf);
}

/** A warehouse with every report and no chat. */
export async function reportedAccount(): Promise<Store> {
  const engine = await openWarehouse(':memory:');
  await pulled(engine, zone, '2026-03-20', '2026-04-10', '2027-02-01T00:00:00Z');
  await addReports(engine);
  await setVariables(engine, 'default', [{ id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' }]);
  return engine;
}

const factTables = tables.filter(({ schema }) => schema === 'facts');

/** A split shift by day and a shift over midnight, in two zones; the night in which clocks change is one of them. */
const hours: BusinessHours = {
  hours: [
    {
      ...{ valid_from: null, timezone: zone, holidays: ['2026-03-30'] },
      week: { sat: ['09:00-12:00', '13:30-18:00'], sun: ['22:00-03:30'], mon: ['00:00-24:00'] },
    },
  ],
  groups: [
    {
      group: 3,
      hours: [
        { valid_from: '2026-03-29', timezone: 'Asia/Kathmandu', week: { sun: ['01:00-09:00'] }, holidays: [] },
        { valid_from: '2026-03-30', timezone: zone, week: { mon: ['02:00-20:00'] }, holidays: [] },
      ],
    },
  ],
};

/** The chats of the account are these and no others. */
export async function withChats(engine: Store, some: readonly Chat[]): Promise<void> {
  for (const { name } of factTables) await engine.exec(`delete from facts.${name}`);
  await addChats(engine, some);
  await setBusinessHours(engine, 'default', hours);
  await keepAllOpenHours(engine);
  const columns = 'account, chat_id, started_at, started_quarter, variable_id, value';
  await engine.exec(
    `insert into facts.chat_dimensions (${columns}) select ${columns.replace('variable_id', 'name')} from facts.chat_variables`,
  );
}
