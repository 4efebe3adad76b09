// A small pulled account for readers who may see a part of it: the whole file, files of only what a rule leaves, and the API over each.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Right } from '#auth/rights.ts';
import { rightNames } from '#auth/rights.ts';
import { reconcile, record } from '#reports/reconciliation/reconcile.ts';
import type { Engine, Row, Store } from '#warehouse/engine.ts';
import { ownContext } from '#warehouse/query/context.ts';
import type { Reader, RowRule } from '#warehouse/query/reader.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { otherGroupsNamed } from '#warehouse/read/account-lists.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { requestFrom, type Known, type Random } from '../drills/readers/questions.ts';
import { pulledAccount, type Pulled } from '../etl/pulled.ts';
import { someHours } from '../warehouse/account.ts';
import { apiDeps, authOf } from './deps.ts';
import { expectPromised } from './promised.ts';
import { promisedApi } from './promised-api.ts';

export const instant = '2026-05-12T09:00:00Z';
/** Of pseudonyms. */
export const pseudonymSecret = 'the secret of one installation';
const facts = tables.filter(({ schema }) => schema === 'facts').map(({ name }) => name);
const reports = tables.filter(({ schema }) => schema === 'reports').map(({ name }) => name);

/** Of the groups with the most chats one has hours of its own. */
const hours: BusinessHours = {
  ...someHours,
  groups: [1, 2].map((group) => ({
    group,
    hours: [{ valid_from: '2026-05-05', timezone: 'Asia/Kathmandu', week: { tue: ['06:00-22:00'] }, holidays: [] }],
  })),
};

export interface Asked {
  status: number;
  body: string;
}

export interface Restricted {
  pulled: Pulled;
  whole: Store;
  known: Known;
  account: { id: string; timezone: string; since: string };
  /** What the program did wrong. */
  errors: unknown[];
  /** A file with only what the rule leaves; its name is its own. */
  onlyOf(rule: RowRule, name: string): Promise<Store>;
  /** The API over a file, for whom the cookies name. */
  apiOf(engine: Engine, reader: (cookies: string) => Reader, rights?: Iterable<Right>): Api;
  close(): Promise<void>;
}

export type Api = ReturnType<typeof promisedApi>;

export async function restrictedAccount(): Promise<Restricted> {
  const folder = mkdtempSync(join(tmpdir(), 'readers-'));
  const service = await pulledAccount(instant, 12);
  const pulled = await service.warehouse();
  await pulled.pull();
  const account = { id: 'default', timezone: 'UTC', since: service.service.firstDay };
  const range = { account: 'default', timezone: 'UTC', from: account.since, to: '2026-05-11' };
  const own = ownContext(pulled.engine, account, service.now);
  await record(pulled.engine, range, await reconcile(own, range), service.now);
  await setBusinessHours(pulled.engine, 'default', hours);
  await setVariables(pulled.engine, 'default', [
    { id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' },
    { id: 'product', title: 'Product', source: 'prechat', name: 'Which product is it about?' },
  ]);
  const published = (await publish(pulled.engine, folder, Date.parse(instant))).file;
  const whole = await openWarehouse(published, { readOnly: true });
  const errors: unknown[] = [];
  return {
    ...{ pulled, whole, account, errors, known: await knownIn(whole) },
    onlyOf: (rule, name) => deleted(published, join(folder, `${name.replaceAll(' ', '-')}.duckdb`), rule),
    apiOf(engine, reader, rights = rightNames) {
      const about = { id: 's1', published_at: new Date(instant).toISOString() };
      return promisedApi(
        apiDeps(engine, {
          auth: authOf(reader, null, rights),
          log: (error) => errors.push(error),
          clock: () => service.now * 1000,
          accounts: () => [account],
          snapshot: () => ({ ...about, engine, pseudonyms: pseudonymSecret }),
          snapshots: {
            list: () => Promise.resolve([{ ...about, bytes: 1, pinned: null }]),
            lost: () => Promise.resolve(null),
            spare: () => Promise.resolve(0),
            open: () => Promise.resolve({ ...about, engine, pseudonyms: pseudonymSecret }),
            space: () => 10e9,
          },
        }),
      );
    },
    async close() {
      await whole.close();
      await pulled.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Groups and agents with the most chats first. */
async function knownIn(whole: Store): Promise<Known> {
  const values = async (sql: string): Promise<string[]> =>
    (await whole.query(sql)).map((row) => String(Object.values(row)[0]));
  const ofChats = (column: string, table: string) =>
    values(`select ${column} from facts.${table} group by ${column} order by count(*) desc, ${column}`);
  return {
    agents: await ofChats('agent', 'chat_agents'),
    groups: (await ofChats('group_id', 'chat_groups')).map(Number),
    tags: await ofChats('tag', 'chat_tags'),
    chats: await values('select chat_id from facts.chats order by chat_id'),
    instants: [instant, '2026-05-12T10:00:00Z', '2020-01-01T00:00:00Z'],
    today: '2026-05-12',
  };
}

const quoted = (values: readonly (string | number)[]): string =>
  values.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(', ') || "''";

/** A published file in a file of its own with everything else deleted, row by row as a plain loop finds them. */
async function deleted(published: string, file: string, { groups, agent, is_anonymous }: RowRule): Promise<Store> {
  copyFileSync(published, file);
  const engine = await openWarehouse(file);
  const run = (sql: string): Promise<void> => engine.exec(sql);
  const read = (sql: string): Promise<Row[]> => engine.query(sql);
  for (const table of ['chat_quarters', 'chat_quarter_parts', 'level_parts']) await run(`drop table facts.${table}`);
  if (groups ?? agent) {
    const theirs = new Set<string>();
    for (const row of await read('select chat_id, group_id from facts.chat_groups'))
      if (groups?.includes(Number(row.group_id))) theirs.add(String(row.chat_id));
    for (const row of await read('select chat_id, agent from facts.chat_agents'))
      if (row.agent === agent) theirs.add(String(row.chat_id));
    for (const table of facts) await run(`delete from facts.${table} where chat_id not in (${quoted([...theirs])})`);
    if (groups) await run(`delete from facts.chat_groups where group_id not in (${groups.join(', ')})`);
    const [split, own] = groups ? ['group', quoted(groups)] : ['agent', quoted([agent ?? ''])];
    const others = `not (split = '${split}' and split_value in (${own}))`;
    // When members of a group were there is told of each of them.
    const members = new Set<string>();
    for (const { login: member, group_id } of await read('select login, group_id from account.group_agents'))
      if (groups?.includes(Number(group_id))) members.add(String(member));
    const absent = `${others} and not (split = 'agent' and split_value in (${quoted([...members])}))`;
    for (const table of reports)
      await run(`delete from reports.${table} where ${table === 'availability' ? absent : others}`);
    await run(`delete from ledger.reconciliation where ${others}`);
    await run(`delete from ledger.periods where source = 'availability' and ${absent}`);
    await run(`delete from ledger.periods where source not in ('archive', 'archive_v3', 'availability') and ${others}`);
    const teams = new Map<string, Set<number>>();
    for (const { login: member, group_id } of await read('select login, group_id from account.group_agents'))
      teams.set(String(member), (teams.get(String(member)) ?? new Set()).add(Number(group_id)));
    const mine = groups ?? [...(teams.get(agent ?? '') ?? [])];
    const kept = mine.length > 0 ? mine.join(', ') : '-1';
    for (const table of ['groups', 'group_agents', 'tags', 'canned_responses', 'status'])
      await run(`delete from account.${table} where group_id not in (${kept})`);
    await run(`delete from account.business_hours where group_id is not null and group_id not in (${kept})`);
    const seen = new Set((await read('select distinct agent from facts.chat_agents')).map((row) => String(row.agent)));
    for (const [member, of] of teams) if (groups?.some((group) => of.has(group))) seen.add(member);
    if (agent !== undefined) seen.add(agent);
    await run(`delete from account.agents where login not in (${quoted([...seen])})`);
  }
  if (is_anonymous) {
    await run(
      'update facts.chats set visitor_name = null, city = null, region = null, start_url = null, referrer = null',
    );
    const maskedIn = async (table: string, column: string, mask: (text: string) => string): Promise<void> => {
      const texts = (await read(`select distinct ${column} as text from facts.${table} where ${column} <> ''`)).map(
        (row) => String(row.text),
      );
      await run(`create temp table masked (said varchar, mask varchar)`);
      for (let at = 0; at < texts.length; at += 500)
        await run(
          `insert into masked values ${texts
            .slice(at, at + 500)
            .map((text) => `(${quoted([text])}, ${quoted([mask(text)])})`)
            .join(', ')}`,
        );
      await run(`update facts.${table} set ${column} = mask from masked where ${column} = masked.said`);
      await run('drop table masked');
    };
    const dots = (text: string): string => '·'.repeat([...text].length);
    await maskedIn('chats', 'visitor_id', (id) =>
      createHash('md5')
        .update(pseudonymSecret + id)
        .digest('hex'),
    );
    await maskedIn('messages', 'text', dots);
    await maskedIn('chat_surveys', 'answer', dots);
    await maskedIn('chat_variables', 'value', dots);
    await run('update facts.messages set files = null, author_name = null');
    await run('update facts.chat_goals set order_id = null, order_description = null');
  }
  await engine.close();
  return openWarehouse(file, { readOnly: true });
}

export async function ask(api: Api, path: string, headers = {}): Promise<Asked> {
  const answer = await api.request(`http://127.0.0.1:3000${path}`, { headers });
  const { status } = answer;
  const body = await answer.text();
  expectPromised('GET', path, status, body);
  return { status, body };
}

/** What comes next that is answered at once with text. */
export function questionFrom(draw: Random, known: Known): string {
  for (;;) {
    const { path, isPage, isEndless } = requestFrom(draw, known);
    const isFile = path.endsWith('/file') || path.includes('.pdf') || path.includes('.xlsx');
    if (!isPage && !isEndless && !isFile) return path;
  }
}

/** Answers may have thousands of rows: from where they differ a piece is enough. */
export const shortened = ({ status, body }: Asked): Asked => ({ status, body: body.slice(0, 2000) });

/**
 * Texts with ids in place of the names that an agent is told for groups of others: a file of the agent's chats, asked by somebody who is
 * told everything, has only their ids.
 */
export async function withIds(own: Store): Promise<(text: string) => string> {
  const rows = await own.query(
    `select distinct group_id from facts.chat_groups
     where group_id not in (select group_id from account.groups) order by group_id`,
  );
  const named = otherGroupsNamed(rows.map(({ group_id }) => Number(group_id))).reverse();
  return (text) =>
    named
      .reduce((told, { id, name }) => told.replaceAll(name, String(id)), text)
      .replaceAll(/"other_groups":\[[^\]]*\]/g, '"other_groups":[]');
}
