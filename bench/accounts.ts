// Asks the listed questions of one account and of the same chats as those of twenty accounts, in turns.
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { wantedOf } from '#api/question.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import type { Store } from '#warehouse/engine.ts';
import { contextIn, ownContext, type WarehouseAccount } from '#warehouse/query/context.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import type { PooledContext } from '#warehouse/query/pooled-context.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { keepCounts } from '#warehouse/store/counts.ts';
import { forgetCounts } from '#warehouse/store/touched.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tables, type Table } from '#warehouse/tables/tables.ts';
import { medians, median, printTable, processed, shown } from './clock.ts';
import { generated, now, zone } from './generate.ts';
import { measured, spans, type Measured, type Span } from './questions.ts';

const count = 20;
const goal = 1.5;
const account: WarehouseAccount = { id: 'default', timezone: zone, since: '2023-10-01' };
const members = Array.from({ length: count }, (_, place) => ({ ...account, id: `account-${place + 1}` }));

/** The account to which a chat goes. */
const ownerOfChat = `'account-' || (1 + cast(hash(chat_id) % ${count} as integer))`;

/** Chats are divided; what is known of an account as a whole, each has alike. */
function divided({ schema, name, columns }: Table): string[] {
  const table = `${schema}.${name}`;
  if ('chat_id' in columns) return [`update ${table} set account = ${ownerOfChat}`];
  const owners = `(select 'account-' || (1 + range) as owner from range(${count})) as owners`;
  return [
    `insert into ${table} select * exclude (owner) replace (owner as account) from ${table} cross join ${owners}`,
    `delete from ${table} where account = 'default'`,
  ];
}

/** A copy of the file in which the chats are those of several accounts. */
async function dividedFile(file: string): Promise<string> {
  const divided_file = `${file}.of-${count}-accounts`;
  if (existsSync(divided_file)) return divided_file;
  const part = `${divided_file}.part`;
  copyFileSync(file, part);
  const engine = await openWarehouse(part, { now });
  try {
    for (const table of tables.filter(({ columns }) => 'account' in columns))
      for (const statement of divided(table)) await engine.exec(statement);
    // The statements above do not say what they write.
    await engine.exec(forgetCounts);
    await engine.withRoom(() => keepCounts(engine));
    await engine.checkpoint();
  } finally {
    await engine.close();
  }
  renameSync(part, divided_file);
  return divided_file;
}

async function poolOf(engine: Store): Promise<PooledContext> {
  const own = ownContext(engine, account, now);
  const { reader, snapshot } = own;
  return {
    ...{ reader, snapshot, now },
    members: await Promise.all(members.map((member) => contextIn(reader, snapshot, member, now))),
  };
}

interface Ratio {
  name: string;
  span: Span;
  one: number;
  all: number;
  /** Processor time of all beside that of one. */
  processor: number;
}

/** What an answer says, to the ninth digit; one that tells the accounts apart, how much of its first measure all its rows have. */
function saidBy({ metric, rows, split }: QueryAnswer, withheld: ReadonlySet<string>): string {
  const [first = ''] = Object.keys(metricOf(metric).measures);
  const said = split.includes('account') ? rows.reduce((sum, row) => sum + Number(row[first]), 0) : rows;
  return JSON.stringify(said, (name, value: unknown) =>
    withheld.has(name) ? undefined : typeof value === 'number' ? value.toPrecision(9) : value,
  );
}

/** Errors: where both do not say the same, but for what several accounts are not given. */
function assertSame(one: QueryAnswer, all: QueryAnswer): void {
  const withheld = new Set(Object.keys(all.not_given ?? {}));
  if (saidBy({ ...one, split: all.split }, withheld) !== saidBy(all, withheld))
    throw new Error(`${all.metric} from ${all.from}: other figures of one account than of ${count}`);
}

async function ratioOf(of: { whole: Store; pool: PooledContext }, it: Measured, span: Span): Promise<Ratio> {
  const wanted = wantedOf(metricOf(it.metric), { ...it.question, ...spans[span] });
  const context = ownContext(of.whole, account, now);
  const ways = [() => run(it.metric, wanted, context), () => runPooled(it.metric, wanted, of.pool)] as const;
  assertSame(await ways[0](), await ways[1]());
  const [one = NaN, all = NaN] = await medians(ways);
  const [ownTime = NaN, itsTime = NaN] = await medians(ways, processed);
  return { name: it.name, span, one, all, processor: itsTime / ownTime };
}

/** What is reported of each account by itself, and groups and goals, whose ids are of one account, are no questions to all of them. */
const isOfAll = ({ metric, question }: Measured): boolean =>
  metricOf(metric).archived !== undefined && !metricOf(metric).reported?.each && question.group === undefined;

/** Prints a row for each question, and the medians. */
export async function benchAccounts(chats: number, only: string | undefined): Promise<void> {
  const file = await generated(chats);
  const whole = await openWarehouse(file, { readOnly: true });
  const shared = await openWarehouse(await dividedFile(file), { readOnly: true });
  const found: Ratio[] = [];
  try {
    const pool = await poolOf(shared);
    for (const it of measured.filter((each) => isOfAll(each) && each.name.includes(only ?? '')))
      for (const span of it.spans ?? (Object.keys(spans) as Span[]))
        found.push(await ratioOf({ whole, pool }, it, span));
  } finally {
    await shared.close();
    await whole.close();
  }
  const cells = found.map(({ name, span, one, all, processor }) => [
    ...[name, span, shown(one), shown(all), (all / one).toFixed(2), processor.toFixed(2)],
  ]);
  console.log(
    `\n${chats} chats of one account, and of ${count} accounts together, ms; the processor beside that of one`,
  );
  printTable(['question', 'range', 'one', 'all', 'ratio', 'processor'], cells);
  const middle = median(found.map(({ processor }) => processor));
  const elapsed = median(found.map(({ one, all }) => all / one)).toFixed(2);
  console.log(
    `median ratio ${elapsed}, of the processor ${middle.toFixed(2)}: ${middle <= goal ? 'reached' : 'NOT reached'}, target ${goal}`,
  );
}
