// Restatements over HTTP: which past numbers changed between two snapshots, by how much and because of which chats.
import type { Hono } from 'hono';
import { restatements, type RestatedCell } from '#reports/restatements/restate.ts';
import { wholeFrom } from '#reports/restatements/whole.ts';
import { contextWhenPublished, type WarehouseAccount, type QueryContext } from '#warehouse/query/context.ts';
import { Refused } from '#warehouse/errors.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { readerKey, type Reader } from '#warehouse/query/reader.ts';
import type { AnswerCache } from './answers.ts';
import { accountOf, callerIn, openNamed, readerOf, snapshotOf } from './context.ts';
import { listRestatements, type Restatements } from './contract/reconciliation.ts';
import type { ApiDeps, ListedSnapshot } from './deps.ts';
import { assertNamed, onlyOne, questionIn, type QueryTexts } from './question.ts';

const names = Object.keys(listRestatements.query.shape);
const week_ms = 7 * 86_400_000;

interface SnapshotPair {
  /** Null: none was requested, and none is suitable. */
  from: ListedSnapshot | null;
  to: ListedSnapshot;
  not_compared: string | null;
}

/** Who asks, and about whom. */
interface AskedAccount {
  reader: Reader;
  account: WarehouseAccount;
}

async function pair(deps: ApiDeps, question: QueryTexts, whose: AskedAccount): Promise<SnapshotPair> {
  const kept = await deps.snapshots.list();
  const ids = kept.map(({ id }) => id);
  const named = (name: string, id: string): ListedSnapshot => {
    const found = kept.find((snapshot) => snapshot.id === id);
    if (!found) throw new Refused(name, `there is no snapshot ${id}: GET /api/snapshots lists them`, ids);
    return found;
  };
  const to = named('to_snapshot', onlyOne(question, 'to_snapshot') ?? snapshotOf(deps).id);
  const asked = onlyOne(question, 'from_snapshot');
  const earlier = kept.filter(({ id }) => id < to.id);
  const from = asked === undefined ? await oldestWhole(deps, earlier, to, whose) : named('from_snapshot', asked);
  if (from && from.id > to.id)
    throw new Refused('from_snapshot', `from_snapshot=${from.id} is newer than to_snapshot=${to.id}: swap them`);
  return { from, to, not_compared: from ? null : whyNot(earlier.length, whose.account.since) };
}

/** The oldest snapshot of the last 7 days with a completely pulled past; earlier ones would differ by what was missing. */
async function oldestWhole(
  deps: ApiDeps,
  earlier: readonly ListedSnapshot[],
  to: ListedSnapshot,
  whose: AskedAccount,
): Promise<ListedSnapshot | null> {
  const recent = earlier.filter(({ published_at }) => Date.parse(published_at) >= deps.clock() - week_ms);
  if (recent.length === 0) return null;
  const isWhole = await wholeFrom(await whenPublished(deps, to, whose));
  return recent.find(({ published_at }) => isWhole(published_at)) ?? null;
}

const whyNot = (earlier: number, since: string): string =>
  earlier === 0
    ? 'there is no earlier snapshot yet'
    : `no earlier snapshot of the last 7 days has all days from ${since} on: the past was still being pulled when they ` +
      'were made; name one as from_snapshot to compare with it all the same';

export function addRestatements(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(listRestatements.path, async (c) => {
    const asked = questionIn(new URL(c.req.url).searchParams);
    assertNamed(asked, names);
    const metric = onlyOne(asked, 'metric');
    const wanted = metric === undefined ? undefined : [metricOf(metric)];
    const reader = readerOf(c);
    const whose = { reader, account: accountOf(deps, reader, onlyOne(asked, 'account')) };
    const { id: account, timezone } = whose.account;
    const { from, to, not_compared } = await pair(deps, asked, whose);
    const isListing = callerIn(c).rights.has('chats:read');
    const question = `restatements ${isListing} ${account} ${timezone} ${metric ?? ''}`;
    // Two snapshots never change: the answer does not depend on the time of day.
    return answers.answerAs<Restatements>(
      c,
      JSON.stringify([readerKey(reader), from?.id, to.id, question]),
      async () => {
        const which = ({ id, published_at }: ListedSnapshot) => ({ id, published_at });
        const all = from ? await compared(deps, from, to, whose, wanted) : [];
        // Which chats these are is for those who may read them.
        const found = isListing
          ? all
          : all.map((one) => ({ ...one, chats: [], more_chats: one.chats.length + one.more_chats }));
        const snapshots = { from_snapshot: from && which(from), to_snapshot: which(to), not_compared };
        return { ...snapshots, account, timezone, restatements: found };
      },
    );
  });
}

async function compared(
  deps: ApiDeps,
  from: ListedSnapshot,
  to: ListedSnapshot,
  whose: AskedAccount,
  wanted: readonly MetricDefinition[] | undefined,
): Promise<RestatedCell[]> {
  if (from.id === to.id) return [];
  const [older, newer] = await Promise.all([whenPublished(deps, from, whose), whenPublished(deps, to, whose)]);
  return restatements(older, newer, wanted);
}

const whenPublished = async (
  deps: ApiDeps,
  { id }: ListedSnapshot,
  { reader, account }: AskedAccount,
): Promise<QueryContext> => contextWhenPublished(reader, await openNamed(deps, id), account);
