// The raw archive: stores every answer as received before anything is decoded, and knows what it holds. Nothing here interprets an
// answer; rebuild.ts recreates facts and reports from it.
import { openRawArchive } from '#warehouse/store/open.ts';
import { responsesTo } from '#warehouse/raw/responses.ts';
import { rawResponses } from '#warehouse/tables/tables.ts';
import type { Store, Row } from '#warehouse/engine.ts';
import type { FlatRow } from '../decode/chats.ts';
import { nobodyErased, type ErasureFilter } from '../erased/erased.ts';
import type { Gathered, ReceivedResponse } from '../fetched.ts';
import { sourceName, type ListUnit, type PullUnit } from '../unit.ts';
import { storeBodies, storeChats, type PullContext, type PeriodBody } from './bodies.ts';
import { bodyOn } from './page-records.ts';
import type { PageBody } from './pages.ts';
import { beginDay, heldBy, type ArchiveSpan } from './span.ts';
import { bodyWithout } from './omit-records.ts';

/** Who asks: the pull of one account, and the zone in which it asks. */
interface AskingPull {
  account: string;
  timezone: string;
  pull_id: string;
}

export interface RawArchive {
  readonly engine: Store;
  /** Filters out erased people and old content. */
  readonly erased: ErasureFilter;
  /** `now` in Unix seconds: the time under which the answers are loaded. */
  keep(pull: AskingPull, gathered: readonly Gathered[], now: number): Promise<void>;
  held(account: string): Promise<ArchiveSpan>;
  close(): Promise<void>;
}

/** Characters above which one answer needs more memory than all others of its batch. */
const long_body = 2 * 1024 * 1024;

/**
 * The open file also serves as the lock of the warehouse's writer. In a file that was not closed properly, the last second may be
 * incomplete and does not count as held. Errors: those of open.ts.
 */
export async function openArchive(
  file: string,
  {
    isWhole = () => true,
    whoErased = () => nobodyErased,
  }: { isWhole?: () => boolean; whoErased?: () => ErasureFilter } = {},
): Promise<RawArchive> {
  const engine = await openRawArchive(file);
  // Only now: an erasure holds this file open, and whoever wrote it last may have closed it just before.
  const [erased, isDoubtful] = [whoErased(), !isWhole()];
  let begun_on = '';
  const questions: OpenReadings = { unfinished: new Map(), asked: new Map() };
  return {
    engine,
    erased,
    keep({ account, timezone, pull_id }, received, now) {
      const gathered = received.map((item) => withoutErased(erased, account, item));
      const write = async (): Promise<void> => {
        if (gathered.length === 0) return;
        if (begun_on !== utcDay(now)) await beginDay(engine, now);
        begun_on = utcDay(now);
        await keep(engine, { account, timezone, pull_id, now, received_on: utcDay(now) }, gathered, questions);
      };
      const isLong = gathered.some(({ answers }) => answers.some(({ body }) => body.length > long_body));
      return isLong ? engine.withRoom(() => engine.transaction(write)) : engine.transaction(write);
    },
    async held(account) {
      const { from, to } = await heldBy(engine, account);
      return { from, to: isDoubtful ? to - 1 : to };
    },
    close: () => engine.close(),
  };
}

function withoutErased(erased: ErasureFilter, account: string, item: Gathered): Gathered {
  const { unit } = item;
  if (erased.isEmpty || unit.kind !== 'archive') return item;
  return {
    ...item,
    answers: item.answers.map((answer) => {
      const body = bodyWithout(erased, account, answer.body, unit.day);
      return body === answer.body ? answer : { ...answer, body };
    }),
  };
}

interface Keeping extends PullContext {
  timezone: string;
  received_on: string;
}

/** Questions with more parts to come, by account, pull and question, and the number of questions of each pull. */
interface OpenReadings {
  unfinished: Map<string, { sequence: number; rows: Row[] }>;
  asked: Map<string, number>;
}

/** The state of the question so far; a new one gets the next number of its pull. */
function begun({ unfinished, asked }: OpenReadings, pull: string, unit: string): { sequence: number; rows: Row[] } {
  const known = unfinished.get(`${pull} ${unit}`);
  if (known) return known;
  const sequence = (asked.get(pull) ?? 0) + 1;
  asked.set(pull, sequence);
  return { sequence, rows: [] };
}

async function keep(engine: Store, keeping: Keeping, gathered: readonly Gathered[], open: OpenReadings): Promise<void> {
  const { account, timezone, pull_id, now, received_on } = keeping;
  const pull = `${account} ${pull_id}`;
  const before = await newestOf(engine, keeping, gathered);
  const bodies: PeriodBody[] = [];
  const rows = new Map<string, Row[]>();
  const marks: Row[] = [];
  for (const item of gathered) {
    const unit = JSON.stringify(item.unit);
    const { sequence, rows: earlier } = begun(open, pull, unit);
    const isAsked = item.answers.length + earlier.length > 0 || item.isPart;
    const { answers, kept } = answersOf(isAsked ? item : { ...item, answers: [notAsked(item, now)] }, earlier.length);
    for (const each of kept) bodies.push([each, periodOf(item.unit)]);
    const last = { last_received_at: now, last_pull_id: pull_id, last_sequence: sequence };
    const asked = { account, timezone, unit, received_on, received_at: now, pull_id, sequence, times: 1, ...last };
    const whole = [...earlier, ...answers].map((row) => ({ ...row, ...asked, ...ofWhole(item) }));
    // For questions in many parts, only rows that are already in the file are replaced, and only once.
    if (!rows.has(unit)) for (const row of earlier) marks.push(row);
    open.unfinished.delete(`${pull} ${unit}`);
    if (item.isPart) open.unfinished.set(`${pull} ${unit}`, { sequence, rows: whole });
    const known = item.isPart ? undefined : before.get(unit);
    const isSame = known !== undefined && signatureOf(known) === signatureOf(whole);
    if (isSame) for (const row of known) marks.push(row);
    rows.set(unit, isSame ? again(known, whole) : whole);
  }
  await storeChats(engine, keeping, bodies);
  await storeBodies(engine, bodies);
  await engine.load(rawResponses, [...rows.values()].flat(), { replacing: rawResponses.key, marks });
}

/** The same answers again: their cost is that of the last time, the time of their first arrival is preserved. */
function again(known: readonly Row[], whole: readonly Row[]): Row[] {
  const { received_at, pull_id, sequence, times } = known[0] ?? {};
  const first = { received_at: received_at ?? null, pull_id: pull_id ?? null, sequence: sequence ?? null };
  return whole.map((row) => ({ ...row, ...first, times: Number(times) + 1 }));
}

const ofWhole = ({ isPart, failure, total, shortfall }: Gathered): FlatRow => ({
  state: isPart ? 'unfinished' : (failure?.state ?? 'answered'),
  outcome: JSON.stringify({ total, shortfall, failure }),
});

/** Equal signatures mean equal answers; pages may arrive in any order. */
const signatureOf = (answers: readonly Row[]): string =>
  answers
    .map(({ path, status, hash, error, state }) => JSON.stringify([path, status, hash, error, state]))
    .sort()
    .join();

/** A question that was skipped because the source refuses its kind is stored as such, without an attempt. */
const notAsked = ({ unit, failure }: Gathered, now: number): ReceivedResponse => ({
  ...{ path: unit.path, status: 0, headers: {}, body: '', bytes: 0, milliseconds: 0, attempts: 0, asked_at: now },
  error: failure?.message ?? 'not asked',
});

function answersOf({ unit, answers }: Gathered, before: number): { answers: FlatRow[]; kept: PageBody[] } {
  const kept = answers.map((answer) => (answer.status > 0 ? bodyOn(answer) : undefined));
  const rows = answers.map(({ path, status, headers, error, attempts, bytes, milliseconds, asked_at }, place) => ({
    ...{ source: sourceName(unit), period: periodOf(unit), position: before + place },
    ...{ path, status, error, attempts, bytes, milliseconds, asked_at },
    ...{ headers: JSON.stringify(headers), hash: kept[place]?.hash ?? null },
  }));
  return { answers: rows, kept: kept.filter((each) => each !== undefined) };
}

/** The local day or days that the question is about. */
function periodOf(unit: PullUnit | ListUnit): string {
  if (unit.kind === 'archive') return unit.day;
  if (unit.kind === 'list') return '';
  return unit.to === unit.asked.from ? unit.to : `${unit.asked.from}/${unit.to}`;
}

const utcDay = (second: number): string => new Date(second * 1000).toISOString().slice(0, 10);

/** The newest answers of that UTC day to the same questions, by question. */
async function newestOf(
  engine: Store,
  { account, received_on }: Keeping,
  gathered: readonly Gathered[],
): Promise<Map<string, Row[]>> {
  const units = [...new Set(gathered.map(({ unit }) => JSON.stringify(unit)))];
  const rows = await responsesTo(engine, account, received_on, units);
  const newest = new Map<string, Row[]>();
  for (const row of rows) {
    const unit = String(row.unit);
    const known = newest.get(unit);
    if (known?.[0]?.pull_id === row.pull_id && known?.[0]?.sequence === row.sequence) known?.push(row);
    else newest.set(unit, [row]);
  }
  return newest;
}
