// The pulls: those that run, those that ended, and every question that failed, with what to do about it.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { ApiDeps, EndedPull } from './deps.ts';
import { Declined } from './errors.ts';
import { accountOf, assertSeesAll, readerOf } from './context.ts';
import { problem } from './metrics.ts';
import { most, nothingRecorded, Recorded, recordedIn } from './recorded.ts';
import { Refused } from '#warehouse/errors.ts';
import { memoized } from '#warehouse/memoize.ts';

const Running = z.object({
  account: z.string(),
  stage: z.string().nullable(),
  done: z.int(),
  total: z.int(),
  started_at: z.iso.datetime(),
  per_second: z.number().nullable().openapi({ description: 'Steps a second so far; null before the first' }),
  seconds_left: z.int().nullable().openapi({ description: 'At this rate; null while it cannot be told' }),
  pulled_since: z.string().nullable(),
});

const AccountEnd = z.object({
  account: z.string(),
  ended_at: z.string().nullable().openapi({ description: 'When its last pull ended; null before the first' }),
  state: z.enum(['done', 'failed', 'cut_off']).nullable(),
  error: z.string().nullable(),
  failed: z.int(),
  quarantined: z.int(),
});

const Pulls = Recorded.extend({
  snapshot: z.string().nullable(),
  running: z.array(Running),
  accounts: z.array(AccountEnd).openapi({ description: 'How the last pull of every account ended' }),
}).openapi('Pulls');

function limitOf(text: string | undefined): number {
  if (text === undefined) return 50;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most.pulls) return Number(text);
  throw new Refused('limit', `limit=${text} must be a whole number from 1 to ${most.pulls}`);
}

export function addPulls(app: OpenAPIHono, deps: ApiDeps): void {
  const path = '/pulls';
  app.openAPIRegistry.registerPath({
    method: 'get',
    path,
    summary: 'Pulls that run and that ended, and what failed with what to do',
    request: {
      query: z.object({
        account: z.string().optional(),
        limit: z
          .string()
          .optional()
          .openapi({ description: `Past pulls listed; default 50, at most ${most.pulls}` }),
      }),
    },
    responses: {
      200: { description: 'Running, ended, failed', content: { 'application/json': { schema: Pulls } } },
      400: problem('There is no such account'),
    },
  });
  app.get(path, async (c) => {
    const reader = readerOf(deps, c);
    assertSeesAll(reader, 'how pulls went');
    const { id } = accountOf(deps, reader, c.req.query('account'));
    const limit = limitOf(c.req.query('limit'));
    const found = await Promise.all(deps.accounts().map((account) => known(deps, account.id)));
    const { recorded } = found.find(({ account }) => account === id) ?? { recorded: nothingRecorded };
    c.header('cache-control', 'no-store');
    return c.json({
      snapshot: deps.published()?.id ?? null,
      running: deps
        .pulls()
        .running.filter(({ account }) => account === id)
        .map((one) => paced(one, deps.clock())),
      accounts: found.map(endOf),
      ...{ ...recorded, pulls: recorded.pulls.slice(0, limit) },
    });
  });

  app.openAPIRegistry.registerPath({
    method: 'post',
    path,
    summary: 'Pull every account now; a pull that already runs is followed by another one',
    request: { query: z.object({ account: z.string().optional().openapi({ description: 'Must be one of them' }) }) },
    responses: {
      202: {
        description: 'It will run',
        content: { 'application/json': { schema: z.object({ started: z.boolean() }) } },
      },
      400: problem('There is no such account'),
      409: problem('This server only serves: another one pulls'),
    },
  });
  app.post(path, (c) => {
    const reader = readerOf(deps, c);
    assertSeesAll(reader, 'starting a pull');
    const asked = c.req.query('account');
    if (asked !== undefined) accountOf(deps, reader, asked);
    if (!deps.pullNow)
      throw new Declined('conflict', "this server only serves: run 'npx chatledger pull', or 'npx chatledger start'");
    deps.pullNow();
    return c.json({ started: true }, 202);
  });
}

interface Known {
  account: string;
  recorded: Recorded;
}

/** Of the snapshot and the note of the last pull the one that knows the newer pull, and what this process heard. */
async function known(deps: ApiDeps, account: string): Promise<Known> {
  const snapshot = deps.snapshot();
  const engine = snapshot?.engine;
  const published = engine
    ? await memoized(engine, `recorded ${account}`, () => recordedIn(engine, account))
    : nothingRecorded;
  const noted = deps.recorded?.(account) ?? nothingRecorded;
  const newest = ({ pulls: [last] }: Recorded): number => (last ? instantOf(last) : -Infinity);
  const recorded = newest(noted) >= newest(published) ? noted : published;
  const heard = deps.pulls().ended.filter((one) => one.account === account);
  // A row that still says running was written while the pull went on.
  const written = recorded.pulls.filter((pull) => pull.ended_at !== null || !heard.some((one) => isSame(one, pull)));
  const fresh = heard.filter((one) => !written.some((pull) => isSame(one, pull)));
  const pulls = [...fresh.map((one) => ({ ...one, faults: null })), ...written];
  pulls.sort((one, other) => (instantOf(one) < instantOf(other) ? 1 : -1));
  return { account, recorded: { ...recorded, pulls } };
}

function endOf({ account, recorded }: Known): z.infer<typeof AccountEnd> {
  const last = recorded.pulls.find(({ ended_at, state }) => ended_at !== null || state === 'cut_off');
  return {
    ...{ account, ended_at: last?.ended_at ?? null },
    state: !last || last.state === 'running' ? null : last.state,
    error: last?.error ?? null,
    failed: recorded.failed.length + recorded.more_failed,
    quarantined: recorded.quarantined.reduce((sum, { records }) => sum + records, recorded.more_quarantined),
  };
}

const instantOf = ({ started_at }: { started_at: string }): number => Date.parse(started_at);

/** The ledger writes the second; the message came a little later. */
const isSame = (heard: EndedPull, written: { started_at: string }): boolean =>
  instantOf(written) >= instantOf(heard) - 10_000 && instantOf(written) <= Date.parse(heard.ended_at);

function paced(running: ReturnType<ApiDeps['pulls']>['running'][number], now: number): z.infer<typeof Running> {
  const { account, stage, done, total, pulled_since, started_at, stage_began } = running;
  const seconds = (now - stage_began.at) / 1000;
  const rate = done > stage_began.done && seconds > 0 ? (done - stage_began.done) / seconds : null;
  const left = rate === null ? null : Math.ceil((total - done) / rate);
  return { account, stage, done, total, started_at, per_second: rate, seconds_left: left, pulled_since };
}
