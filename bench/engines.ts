// Asks the listed questions of the file and of ClickHouse in a process, in turns, and says what lies between: the way there, and the rows.
import { createClient } from '@clickhouse/client';
import { wantedOf } from '#api/question.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import type { Engine } from '#warehouse/engine.ts';
import { ClickhouseSnapshots } from '#warehouse/engines/clickhouse.ts';
import { ClickhousePublisher } from '#warehouse/engines/clickhouse-publishing.ts';
import { ownContext, type WarehouseAccount } from '#warehouse/query/context.ts';
import { run } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { elapsed, median, medians, printTable, shown } from './clock.ts';
import { generated, now, zone } from './generate.ts';
import { measured, spans, type Span } from './questions.ts';

const account: WarehouseAccount = { id: 'default', timezone: zone, since: '2023-10-01' };
const id = '20261020-120000-000';
const snapshot = { id, published_at: '2026-10-20T12:00:00.000Z', rewritten: '' };
const database = 'bench';

/** `url`: of a server whose database `bench` may be made and dropped. */
export async function benchEngines(chats: number, url: string, only: string | undefined): Promise<void> {
  const file = await openWarehouse(await generated(chats), { readOnly: true });
  const client = createClient({ url });
  const address = { url, username: 'default', password: '', database };
  const publisher = new ClickhousePublisher(address, {
    holder: { id: 'bench', host: 'bench' },
    accounts: [{ ...account, simulated: false }],
    lease_seconds: 3600,
  });
  const snapshots = new ClickhouseSnapshots(address, 'bench');
  const rowsOf = async (query: string): Promise<Record<string, unknown>[]> =>
    (await client.query({ query, format: 'JSONEachRow' })).json();
  try {
    await client.command({ query: `drop database if exists ${database}` });
    await client.command({ query: `create database ${database}` });
    let written = { written: 0, rows: 0, kept: 0 };
    const first = await processed(async () => (written = await publisher.publish(file, snapshot)));
    const again = await processed(() => publisher.publish(file, snapshot));
    const [size] = await rowsOf(
      `select sum(bytes_on_disk) as bytes, count() as pieces from system.parts where active and database = '${database}'`,
    );
    const bytes = Number(size?.['bytes']);
    printTable(
      [`${chats} chats in ClickHouse`, 'figure'],
      [
        ['rows', String(written.rows)],
        ['parts', String(written.written)],
        ['bytes for a chat', shown(bytes / chats)],
        ['publishing all of it, s', shown(first.elapsed)],
        ['processor of the publisher, s', shown(first.processor)],
        ['publishing it again, nothing changed, s', shown(again.elapsed)],
        ['processor of the publisher, s', shown(again.processor)],
      ],
    );
    await askBoth(file, await snapshots.open(snapshot), only);
  } finally {
    await client.command({ query: `drop database if exists ${database}` }).catch(() => undefined);
    await Promise.all([client.close(), publisher.close(), snapshots.close(), file.close()]);
  }
}

/** Seconds that work takes, and those of processors in this process. */
async function processed(work: () => Promise<unknown>): Promise<{ elapsed: number; processor: number }> {
  const before = process.cpuUsage();
  const milliseconds = await elapsed(work);
  const { user, system } = process.cpuUsage(before);
  return { elapsed: milliseconds / 1000, processor: (user + system) / 1e6 };
}

/** Medians of each question, and of a statement that reads nothing: the way to the engine and back. */
async function askBoth(file: Engine, there: Engine, only: string | undefined): Promise<void> {
  const found: { name: string; span: Span; one: number; other: number }[] = [];
  for (const it of measured.filter(({ name }) => only === undefined || name.includes(only)))
    for (const span of it.spans ?? (Object.keys(spans) as Span[])) {
      const wanted = wantedOf(metricOf(it.metric), { ...it.question, ...spans[span] });
      const ask = (engine: Engine) => () => run(it.metric, wanted, ownContext(engine, account, now));
      const [one = NaN, other = NaN] = await medians([ask(file), ask(there)]);
      found.push({ name: it.name, span, one, other });
    }
  const [nothing = NaN, far = NaN] = await medians([
    () => file.query('select 1 as n'),
    () => there.query('select 1 as n'),
  ]);
  const cells = found.map(({ name, span, one, other }) => [
    name,
    span,
    shown(one),
    shown(other),
    (other / one).toFixed(1),
  ]);
  console.log('');
  printTable(
    ['question, ms', 'range', 'file', 'ClickHouse', 'ratio'],
    [['a statement that reads nothing', '', shown(nothing), shown(far), ''], ...cells],
  );
  for (const span of Object.keys(spans)) {
    const own = found.filter((each) => each.span === span);
    if (own.length === 0) continue;
    const [one, other] = [median(own.map((each) => each.one)), median(own.map((each) => each.other))];
    console.log(
      `${span}: median of ${own.length} questions ${shown(one)} ms of the file, ${shown(other)} ms of ClickHouse`,
    );
  }
}
