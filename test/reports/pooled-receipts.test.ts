// Receipts of several accounts: of all together as of one account that holds their chats, and of one among them as that account's own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listingOf, wantedCellOf, type QueryTexts } from '#api/question.ts';
import { receiptFor, type MetricReceipt } from '#reports/receipts/receipt.ts';
import { pooledReceiptFor } from '#reports/receipts/several.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { contextIn, type QueryContext } from '#warehouse/query/context.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import { pooledContextIn, type PooledContext } from '#warehouse/query/pooled-context.ts';
import { localReader, type Reader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tries } from '../chance.ts';
import { second } from '../warehouse/account.ts';
import { members, merged, separate, together } from '../warehouse/several-accounts.ts';

const now = second('2027-03-01T00:00:00Z');
const since = '2025-12-28';
const range = { from: '2026-03-20', to: '2026-04-05' };
const of_chats = metrics.filter(({ archived, reported }) => archived && !reported?.each).map(({ id }) => id);

describe('receipts of several accounts', () => {
  let several: Store;
  let one: Store;
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-pooled-receipts-'));
  beforeAll(async () => {
    const writer = await separate(members);
    const { file } = await publish(writer, folder, second('2027-02-01T00:00:00Z') * 1000);
    await writer.close();
    [several, one] = await Promise.all([openWarehouse(file, { readOnly: true }), together(members)]);
  });
  afterAll(async () => {
    await Promise.all([several.close(), one.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const snapshotOf = (engine: Store) => ({ id: 's', published_at: new Date(now * 1000).toISOString(), engine });
  const accounts = members.map(({ id, zone }) => ({ id, timezone: zone, since }));
  const pool = (ids = ['a', 'b', 'c'], reader: Reader = localReader): Promise<PooledContext> =>
    pooledContextIn(
      reader,
      snapshotOf(several),
      accounts.filter(({ id }) => ids.includes(id)),
      now,
    );
  const alone = (id: string): Promise<QueryContext> =>
    contextIn(
      localReader,
      snapshotOf(several),
      accounts.find((each) => each.id === id)!,
      now,
    );
  const whole = (): Promise<QueryContext> =>
    contextIn(localReader, snapshotOf(one), { id: merged.id, timezone: 'UTC', since }, now);

  const asked = (id: string, question: QueryTexts) =>
    [
      id,
      wantedCellOf(metricOf(id), { ...range, ...question, limit: undefined }),
      listingOf({ limit: '1000' }),
    ] as const;
  const pooled = async (id: string, question: QueryTexts, context?: PooledContext): Promise<MetricReceipt> =>
    pooledReceiptFor(...asked(id, question), context ?? (await pool()));
  const orRefusal = (work: Promise<MetricReceipt>): Promise<MetricReceipt | string> =>
    work.catch((error: unknown) => {
      if (error instanceof Refused) return error.about;
      throw error;
    });

  /** What two receipts have in common whose accounts, agents and groups have other names. */
  const common = (receipt: MetricReceipt) => ({
    value: receipt.value,
    state: receipt.state,
    from_chats: receipt.adds_up.from_chats,
    agrees: receipt.adds_up.agrees,
    total: receipt.chats.total,
    listed: receipt.chats.rows
      .map(({ started_at, ended_at, contribution, lines }) =>
        JSON.stringify([started_at, ended_at, contribution, lines]),
      )
      .sort(),
    left_out: receipt.left_out.map(({ reason, count }) => `${count} ${reason}`).sort(),
  });

  const questions = fc.record({
    timezone: fc.constantFrom('UTC', 'Europe/Warsaw', 'Asia/Kathmandu'),
    day: fc.option(fc.constantFrom('2026-03-28', '2026-03-29', '2026-04-03')),
    tag: fc.option(fc.constantFrom('one', 'two'), { freq: 3 }),
    country: fc.option(fc.constantFrom('Poland'), { freq: 3 }),
    agent: fc.option(fc.constantFrom('a@x.test', 'nobody@x.test'), { freq: 2 }),
    at_country: fc.option(fc.constantFrom('Spain'), { freq: 3 }),
  });

  it('of all together are those of one account that holds all their chats', { timeout: 300_000 }, async () => {
    let found = 0;
    const cells = of_chats
      .filter((id) => !metricOf(id).always)
      .flatMap((id) => Object.keys(metricOf(id).measures).map((measure) => [id, measure] as const));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cells),
        questions,
        async ([id, measure], { day, at_country, agent, ...rest }) => {
          const split = at_country !== null && metricOf(id).splits.includes('country');
          const question = Object.fromEntries(
            Object.entries({
              ...{ ...rest, measure, grain: day === null ? 'total' : 'day', period: day },
              ...(split ? { split: 'country', 'at.country': at_country } : {}),
            }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
          ) as QueryTexts;
          const logins = agent === null ? undefined : members.map((_, place) => merged.agent(place, agent));
          const ours = await orRefusal(pooled(id, { ...question, agent: agent ?? undefined }));
          const theirs = await orRefusal(
            whole().then((context) => receiptFor(...asked(id, { ...question, agent: logins }), context)),
          );
          if (typeof ours === 'string' || typeof theirs === 'string') return void expect(ours).toBe(theirs);
          const own = metricOf(id).reported && metricOf(id).measures[measure]?.needs?.join() !== 'archived';
          if (own) return void expect(ours.adds_up.how).toContain('one account each');
          expect(common(ours)).toEqual(common(theirs));
          expect(ours.adds_up.agrees).toBe(true);
          if (ours.chats.total > 0) found += 1;
        },
      ),
      { numRuns: tries(40, 600) },
    );
    expect(found).toBeGreaterThan(tries(5, 100));
  });

  it('name the account of each chat, and of each chat that is left out', async () => {
    const {
      account,
      accounts: ids,
      chats,
      pulls,
      left_out,
    } = await pooled('chat_ratings', { grain: 'total', measure: 'good' });
    expect([account, ids]).toEqual(['a,b,c', ['a', 'b', 'c']]);
    const rated = await several.query(
      "select account || ' ' || chat_id as chat from facts.chats where rate = 'rated_good' and account in ('a', 'b', 'c') order by chat",
    );
    const listed = chats.rows.map((row) => `${row.account} ${row.chat_id}`);
    expect(listed.toSorted()).toEqual(rated.map(({ chat }) => chat));
    expect(new Set(listed).size).toBe(chats.total);
    expect(new Set(chats.rows.map(({ chat_id }) => chat_id)).size).toBeLessThan(chats.total);
    const starts = chats.rows.map(({ started_at }) => String(started_at));
    expect(starts).toEqual(starts.toSorted());
    expect(pulls.reduce((sum, pull) => sum + pull.chats, 0)).toBe(chats.total);
    expect(new Set(pulls.map((pull) => pull.account))).toEqual(new Set(['a', 'b', 'c']));
    for (const each of left_out) expect(each.accounts).toHaveLength(each.chats.length);
  });

  it('of one among several are those of that account, asked alone', async () => {
    for (const id of ['total_chats', 'first_response_time', 'goals', 'chat_ranking'])
      for (const { id: account, zone } of members) {
        const split = metricOf(id).always ?? [];
        const at = Object.fromEntries(split.map((name) => [`at.${name}`, 'a@x.test']));
        const question = { grain: 'total', timezone: zone, ...at };
        const ours = await orRefusal(pooled(id, { ...question, split: 'account', 'at.account': account }));
        const theirs = await orRefusal(alone(account).then((context) => receiptFor(...asked(id, question), context)));
        if (typeof ours === 'string' || typeof theirs === 'string') {
          expect([id, ours]).toEqual([id, theirs]);
          continue;
        }
        expect(ours).toEqual({ ...theirs, at: { account, ...theirs.at } });
      }
    await expect(pooled('total_chats', { grain: 'total', split: 'account', 'at.account': 'd' })).rejects.toThrow(
      'at.account=d is not one of the accounts',
    );
    await expect(pooled('total_chats', { grain: 'total', split: 'account' })).rejects.toThrow('at.account=…');
  });

  it('of fewer chats than agreed are refused, and a row rule holds', async () => {
    const few = await pool(['a', 'b', 'c'], { ...localReader, id: 'few', rows: { agents_from: 10_000 } });
    await expect(pooled('total_chats', { grain: 'total', agent: 'a@x.test' }, few)).rejects.toThrow('fewer');
    const ofGroup = await pool(['a', 'b'], { ...localReader, id: 'group', rows: { groups: [3] } });
    const { value, chats } = await pooled('total_chats', { grain: 'total' }, ofGroup);
    const seen = await several.query(
      "select distinct account || ' ' || chat_id as chat from facts.chat_groups where group_id = 3 and account in ('a', 'b') order by chat",
    );
    expect(chats.rows.map((row) => `${row.account} ${row.chat_id}`).toSorted()).toEqual(seen.map(({ chat }) => chat));
    const answer = await runPooled('total_chats', { ...range, grain: 'total' }, ofGroup);
    expect([value, chats.total]).toEqual([answer.rows[0]?.chats, seen.length]);
  });

  it('of one among several are refused where its cell is hidden in either answer, for which it is counted once', async () => {
    const cells: { few: PooledContext; member: QueryContext; row: Row; isShown: boolean[] }[] = [];
    for (const agents_from of [2, 3, 5]) {
      const few = await pool(['a', 'b', 'c'], { ...localReader, id: `from ${agents_from}`, rows: { agents_from } });
      const asked = { ...range, grain: 'day', timezone: 'UTC' } as const;
      const beside = await runPooled('total_chats', { ...asked, split: ['account', 'agent'] }, few);
      for (const member of few.members) {
        const own = await run('total_chats', { ...asked, split: ['agent'] }, member);
        const its = beside.rows.filter(({ account }) => account === member.account.id);
        for (const row of own.rows) {
          const there = its.find(({ period, agent }) => period === row.period && agent === row.agent);
          cells.push({ few, member, row, isShown: [row.chats !== null, there !== undefined && there.chats !== null] });
        }
      }
    }
    const isWhole = (shown: boolean[]): boolean => shown.every(Boolean);
    const told = cells.filter(({ isShown }) => isWhole(isShown));
    const apart = cells.filter(({ isShown }) => !isWhole(isShown) && isShown.includes(true));
    const some = [...told, ...apart, ...cells].filter(
      (_, place, all) => place % Math.ceil(all.length / tries(40, 500)) === 0,
    );
    for (const { few, member, row, isShown } of some) {
      const { account } = member;
      const at = { 'at.account': account.id, 'at.agent': String(row.agent), period: String(row.period) };
      const statements = vi.spyOn(member.snapshot.engine, 'queryInPieces');
      const ours = await orRefusal(pooled('total_chats', { grain: 'day', split: 'account,agent', ...at }, few));
      const isTold = typeof ours !== 'string';
      expect([at, few.reader.rows, isTold]).toEqual([at, few.reader.rows, isWhole(isShown)]);
      // The chats of agents, and the number.
      expect(statements).toHaveBeenCalledTimes(isTold ? 2 : 1);
      statements.mockRestore();
    }
    expect(Math.min(told.length, apart.length)).toBeGreaterThan(0);
  });

  it('of what is reported of one account each are refused with what to ask instead', async () => {
    const reported = metrics.find(({ archived }) => archived === undefined);
    await expect(pooled(reported!.id, { grain: 'total' })).rejects.toThrow('ask with split=account');
  });
});
