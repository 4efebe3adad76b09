// The compiled statement of every metric, kept as a file so that a reviewer sees what a change does to it.
import { describe, expect, it } from 'vitest';
import { compile } from '#warehouse/query/compile.ts';
import { clickhouse } from '#warehouse/engines/clickhouse-dialect.ts';
import { duckdb } from '#warehouse/engines/duckdb-dialect.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { later } from './account.ts';
import { accountOf, askOf } from './query-context.ts';

describe('compiled statements', () => {
  const all = [duckdb, clickhouse].flatMap((dialect) =>
    metrics.map((metric) => [metric.id, dialect.name, metric, dialect] as const),
  );
  it.each(all)('%s is compiled for %s as it was reviewed', async (id, engine, metric, dialect) => {
    const question = {
      from: '2026-03-01',
      to: '2026-03-31',
      ...(metric.filters.includes('group') ? { group: '1' } : {}),
    };
    const { sql, params } = compile(
      metric,
      askOf(metric, question, {
        ...later,
        account: accountOf({ ...later, zone: 'Europe/Warsaw' }),
        reader: localReader,
      }),
      dialect,
    );
    const values = Object.entries(params).map(([name, value]) => `-- $${name} = ${String(value)}\n`);
    await expect(`${values.join('')}${sql};\n`).toMatchFileSnapshot(`../../warehouse/sql/${id}.${engine}.sql`);
  });
});
