// A data folder asked apart from the program: rows of its warehouse, all its facts, and every metric of every kept snapshot.
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Engine, Row } from '#warehouse/engine.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { contextWhenPublished } from '#warehouse/query/context.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { instantOf, openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { isWhole, partOf } from '../chance.ts';
import { only, type Filled } from './filled.ts';
import { dayBefore } from './still.ts';

export const data = (folder: string): string => join(folder, 'data');
export const published = (folder: string): string => join(data(folder), 'published');

export async function rows(folder: string, sql: string): Promise<Row[]> {
  const engine = await openWarehouse(join(data(folder), 'warehouse', 'chatledger.duckdb'), { readOnly: true });
  return engine.query(sql).finally(() => engine.close());
}

/** By everything that a person could be counted by; with the tests a metric is asked by one of what an erasure is nearest to, by turns. */
const splits_asked = isWhole ? [[], ['group'], ['agent'], ['country'], ['tag']] : [[], ['country']];

/** Every answer to every metric of every kept snapshot, asked apart from the program's own proof. */
export async function metricsOf(
  folder: string,
  asked: readonly (readonly string[])[] = splits_asked,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const id of await snapshots(published(folder))) {
    const engine = await openSnapshot(published(folder), id);
    Object.assign(answers, await metricsIn(engine, id, asked));
    await engine.close();
  }
  return answers;
}

/** The same of one open snapshot. */
export async function metricsIn(
  engine: Engine,
  id: string,
  asked: readonly (readonly string[])[] = splits_asked,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const account = { id: 'default', timezone: 'UTC', since: dayBefore(6) };
  const context = await contextWhenPublished(localReader, { id, published_at: instantOf(id), engine }, account);
  const all = metrics.filter(({ archived }) => !archived?.businessHours);
  for (const [place, { id: metric, splits }] of all.entries()) {
    const known = asked.filter((split) => split.every((each) => splits.some((of) => of === each)));
    for (const split of partOf(known, known.length, place)) {
      const { rows } = await run(metric, { from: dayBefore(17), to: dayBefore(0), split }, context);
      answers[`${id} ${metric} ${split.join()}`] = JSON.stringify(rows);
    }
  }
  return answers;
}

/** A pull from a source that tells everything once more, and a rebuild, bring nothing back of what is gone, and change nothing. */
export async function expectNothingBack(
  folder: string,
  command: Filled['command'],
  traces: () => Promise<unknown>,
): Promise<void> {
  const facts = await factsOf(folder);
  const pulled = await command(folder, 'pull', ...only);
  expect([pulled.code, pulled.complained]).toEqual([0, '']);
  expect(pulled.said).toMatch(/ 0 chats new, 0 changed, /);
  expect(await factsOf(folder)).toEqual(facts);
  const rebuilt = await command(folder, 'rebuild');
  expect([rebuilt.code, rebuilt.complained]).toEqual([0, '']);
  expect(await factsOf(folder)).toEqual(facts);
  expect(await traces()).toEqual([]);
}

/** Everything but the ledger of what pulls cost. */
export async function factsOf(folder: string): Promise<Record<string, Row[]>> {
  const engine = await openWarehouse(join(data(folder), 'warehouse', 'chatledger.duckdb'), { readOnly: true });
  const content: Record<string, Row[]> = {};
  for (const { schema, name, columns } of tables.filter(
    (table) => table.schema !== 'ledger' || ['periods', 'quarantine'].includes(table.name),
  )) {
    const costs = ['attempts', 'bytes', 'milliseconds', 'pulled_at', 'asked_at', 'pull_id', 'rows_new', 'rows_changed'];
    const kept = Object.keys(columns).filter((column) => ![...costs, 'rows_unchanged'].includes(column));
    const listed = kept.map((column) => `"${column}"`).join(', ');
    content[`${schema}.${name}`] = await engine.query(`select ${listed} from ${schema}.${name} order by all`);
  }
  await engine.close();
  return content;
}
