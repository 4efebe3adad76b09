// Several accounts together answer as one account would that holds all of their chats, and by account as each of them alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wantedOf, type QueryTexts } from '#api/question.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import { pooledContextIn, type PooledContext } from '#warehouse/query/pooled-context.ts';
import { localReader } from '#warehouse/query/reader.ts';
import type { QueryAnswer } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tries } from '../chance.ts';
import { second } from './account.ts';
import { run } from './query-context.ts';
import { members, merged, separate, together } from './several-accounts.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-pooled-'));
const now = second('2027-03-01T00:00:00Z');
const to = '2026-04-05';

const parts = {
  timezone: fc.constantFrom('UTC', 'Europe/Warsaw', 'Asia/Kathmandu', 'America/St_Johns'),
  grain: fc.constantFrom('hour', 'day', 'week', 'month', 'total'),
  agent: fc.option(fc.constantFrom('a@x.test', 'nobody@x.test'), { freq: 3 }),
  tag: fc.option(fc.subarray(['one', 'two'], { minLength: 1 }), { freq: 3 }),
  country: fc.option(fc.constantFrom('Poland'), { freq: 3 }),
  currency: fc.option(fc.constantFrom('EUR', 'CAD'), { freq: 3 }),
  compare: fc.option(fc.constantFrom('previous', 'year'), { freq: 3 }),
  from: fc.constantFrom('2026-03-20', '2026-03-29', '2026-04-01'),
};
const texts = (question: Record<string, unknown>): QueryTexts =>
  Object.fromEntries(
    Object.entries({ ...question, to }).map(([name, value]) => [name, (value ?? undefined) as string]),
  );
const splits = fc.subarray(['tag', 'country', 'currency', 'weekday', 'hour_of_day'], { maxLength: 2 });

const archived = metrics.filter(({ archived, reported }) => archived && !reported?.each).map(({ id }) => id);

/** A refusal as its words. */
const orRefusal = <T>(work: Promise<T>): Promise<T | string> =>
  work.catch((error: unknown) => {
    if (error instanceof Refused) return error.about;
    throw error;
  });

describe('several accounts', () => {
  const opened: Store[] = [];
  /** As written, and as published with everything counted in advance. */
  const several: Store[] = [];
  let one: Store;
  const published = async (of: Store, name: string): Promise<Store> => {
    const { file } = await publish(of, join(folder, name), second('2027-02-01T00:00:00Z') * 1000);
    return openWarehouse(file, { readOnly: true });
  };
  beforeAll(async () => {
    const [written, whole] = [await separate(members), await together(members)];
    several.push(written, await published(written, 'several'));
    one = await published(whole, 'one');
    opened.push(...several, whole, one);
  });
  afterAll(async () => {
    for (const engine of opened) await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const contextOf = (engine: Store, ids: readonly string[]): Promise<PooledContext> =>
    pooledContextIn(
      localReader,
      { id: 's', published_at: new Date(now * 1000).toISOString(), engine },
      members.filter(({ id }) => ids.includes(id)).map(({ id, zone }) => ({ id, timezone: zone, since: '2025-12-28' })),
      now,
    );
  const pooled = async (engine: Store, id: string, question: QueryTexts, ids = ['a', 'b', 'c']): Promise<QueryAnswer> =>
    runPooled(id, wantedOf(metricOf(id), question), await contextOf(engine, ids));
  const alone = (engine: Store, account: string, id: string, question: QueryTexts): Promise<QueryAnswer> => {
    const zone = members.find((member) => member.id === account)?.zone ?? 'UTC';
    return run(engine, id, question, { account, zone, now });
  };
  const rowsOf = ({ rows, compare }: QueryAnswer): unknown => ({
    rows,
    ...(compare ? { from: compare.from, to: compare.to, compared: compare.rows } : {}),
  });

  it('answer as the one that holds all their chats', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...archived.filter((id) => !metricOf(id).always)),
        fc.record({ ...parts, split: splits }).map(texts),
        fc.nat(1),
        async (id, question, which) => {
          const { agent, ...rest } = question;
          const logins =
            agent === undefined ? undefined : members.map((_, place) => merged.agent(place, String(agent)));
          const metric = metricOf(id);
          const measures = Object.keys(metric.measures).filter(
            (name) => !metric.reported || metric.measures[name]?.needs?.join() === 'archived',
          );
          const shown = (answer: QueryAnswer | string): unknown => {
            if (typeof answer === 'string') return answer;
            const rows = (some: readonly Row[]): Row[] =>
              some.map((row) =>
                Object.fromEntries(
                  Object.entries(row).filter(([name]) => !(name in metric.measures) || measures.includes(name)),
                ),
              );
            return { rows: rows(answer.rows), compared: answer.compare && rows(answer.compare.rows) };
          };
          const engine = several[which] as Store;
          const found = await orRefusal(pooled(engine, id, question));
          const whole = { ...rest, agent: logins } as QueryTexts;
          expect(shown(found)).toEqual(
            shown(await orRefusal(run(one, id, whole, { account: merged.id, zone: 'UTC', now }))),
          );
        },
      ),
      { numRuns: tries(25, 2000) },
    );
  });

  it('answer by account as each of them alone', { timeout: 300_000 }, async () => {
    const own = fc.subarray(['agent', 'group', 'tag', 'goal', 'currency', 'weekday'], { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...archived),
        fc.record({ ...parts, split: own }).map(texts),
        fc.nat(1),
        async (id, question, which) => {
          const engine = several[which] as Store;
          const split = ['account', ...(question.split ?? [])];
          const found = await orRefusal(pooled(engine, id, { ...question, split }));
          for (const { id: account } of members) {
            const ownAnswer = await orRefusal(alone(engine, account, id, question));
            if (typeof found === 'string' || typeof ownAnswer === 'string') {
              expect(found).toBe(ownAnswer);
              continue;
            }
            const its = (rows: readonly Row[]): Row[] =>
              rows
                .filter((row) => row.account === account && isOwn(ownAnswer, row, question))
                .map(({ account: _, ...row }) => row);
            expect(its(found.rows)).toEqual(ownAnswer.rows);
          }
        },
      ),
      { numRuns: tries(25, 2000) },
    );
  });

  /** Split by several, a cell stands for every combination that any account has; those of others hold nothing here. */
  const isOwn = (own: QueryAnswer, row: Row, question: QueryTexts): boolean => {
    const names = [question.split ?? []].flat().filter((name) => name !== 'weekday');
    return own.rows.some((its) => names.every((name) => its[name] === row[name]));
  };

  it('of one account answer as that account', async () => {
    for (const engine of several)
      for (const id of archived) {
        if (metricOf(id).reported || metricOf(id).always) continue;
        const question = { from: '2026-03-20', to, grain: 'day', compare: 'previous' };
        const [answer, own] = [await pooled(engine, id, question, ['b']), await alone(engine, 'b', id, question)];
        expect(rowsOf(answer)).toEqual(rowsOf(own));
        expect([answer.account, answer.timezone]).toEqual(['b', 'America/St_Johns']);
      }
  });
});
