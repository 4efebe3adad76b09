// The pulls: those that run, those that ended, and every question that failed, with what to do about it.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Door, EndedPull } from './door.ts';
import { Declined } from './errors.ts';
import { accountOf, problem } from './metrics.ts';
import type { Engine } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';

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

const Ended = z.object({
  account: z.string(),
  pull_id: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cut_off']),
  requests: z.int(),
  chats_new: z.int(),
  chats_changed: z.int(),
  chats_unchanged: z.int(),
  error: z.string().nullable(),
});

const Failed = z.object({
  account: z.string(),
  source: z.string(),
  split: z.string(),
  split_value: z.string(),
  grain: z.string(),
  from: z.string(),
  to: z.string(),
  days: z.int(),
  state: z.enum(['failed', 'not_in_plan', 'gone', 'quarantined']),
  error: z.string().nullable(),
  last_asked_at: z.string(),
  what_to_do: z.string(),
});

const Quarantined = z.object({
  account: z.string(),
  source: z.string(),
  record_id: z.string(),
  reason: z.string(),
  seen_at: z.string(),
});

const Notice = z.object({
  source: z.string(),
  header: z.string(),
  value: z.string().openapi({ description: 'As received: the date on which that stage ends' }),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
});

const Pulls = z
  .object({
    snapshot: z.string().nullable(),
    running: z.array(Running),
    pulls: z.array(Ended),
    failed: z.array(Failed),
    quarantined: z.array(Quarantined),
    more_quarantined: z.int().openapi({ description: 'Records set aside that are not listed' }),
    notices: z.array(Notice).openapi({ description: 'Headers by which the service announces an end' }),
  })
  .openapi('Pulls');

const most_pulls = 200;
const most_failed = 200;
const most_quarantined = 50;

const remedies: Readonly<Record<string, string>> = {
  failed: 'Nothing: the next pull asks again. If it stays, look at the error and at the account.',
  not_in_plan: "The account's plan does not include this report; it is asked again as the plan may change.",
  gone: 'The service does not offer this any more; what was pulled stays.',
  quarantined: 'The answer is kept as received. After an update of this program run: npx chatledger rebuild',
};

async function failedIn(engine: Engine, account: string): Promise<object[]> {
  const rows = await engine.query(
    'select account, source, split, split_value, grain, min(day) as first_day, max(day) as last_day,\n' +
      '  count(*) as days, state, max(error) as error, max(pulled_at) as last_asked_at\n' +
      "from ledger.periods\nwhere account = $account\n  and (state <> 'pulled' or error is not null)\n" +
      'group by account, source, split, split_value, grain, state\n' +
      `order by last_asked_at desc, source, split, split_value\nlimit ${most_failed}`,
    { account },
  );
  return rows.map(({ first_day, last_day, state, error, ...row }) => {
    // A day that is here and could not be asked again is a failure of the question, not of the day.
    const shown = state === 'pulled' ? 'failed' : String(state);
    return { ...row, from: first_day, to: last_day, state: shown, error, what_to_do: remedies[shown] ?? '' };
  });
}

async function recorded(engine: Engine, account: string, limit: number): Promise<Partial<z.infer<typeof Pulls>>> {
  const whose = { account };
  const pulls = await engine.query(
    'select account, pull_id, started_at, ended_at, state, requests, chats_new, chats_changed, chats_unchanged, error\n' +
      `from ledger.pulls\nwhere account = $account\norder by started_at desc\nlimit ${limit}`,
    whose,
  );
  const quarantined = await engine.query(
    'select account, source, record_id, reason, seen_at\nfrom ledger.quarantine\nwhere account = $account\n' +
      `order by seen_at desc, source, record_id\nlimit ${most_quarantined}`,
    whose,
  );
  const notices = await engine.query(
    'select source, header, value, first_seen_at, last_seen_at\nfrom ledger.notices\nwhere account = $account\n' +
      'order by source, header, value',
    whose,
  );
  const [all] = await engine.query('select count(*) as n from ledger.quarantine where account = $account', whose);
  return {
    pulls: pulls as z.infer<typeof Ended>[],
    failed: (await failedIn(engine, account)) as z.infer<typeof Failed>[],
    quarantined: quarantined as z.infer<typeof Quarantined>[],
    more_quarantined: Number(all?.n ?? 0) - quarantined.length,
    notices: notices as z.infer<typeof Notice>[],
  };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return 50;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most_pulls) return Number(text);
  throw new Refused('limit', `limit=${text} must be a whole number from 1 to ${most_pulls}`);
}

export function addPulls(app: OpenAPIHono, door: Door): void {
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
          .openapi({ description: `Past pulls listed; default 50, at most ${most_pulls}` }),
      }),
    },
    responses: {
      200: { description: 'Running, ended, failed', content: { 'application/json': { schema: Pulls } } },
      400: problem('There is no such account'),
    },
  });
  app.get(path, async (c) => {
    const { id } = accountOf(door, c.req.query('account'));
    const limit = limitOf(c.req.query('limit'));
    const snapshot = door.snapshot();
    const kept = snapshot ? await recorded(snapshot.engine, id, limit) : {};
    // What ended since the snapshot was made is known to this process only, and it knows better.
    const heard = door.pulls().ended.filter(({ account }) => account === id);
    const written = (kept.pulls ?? []).filter((pull) => !heard.some((one) => isSame(one, pull)));
    const pulls = [...heard, ...written].sort((one, other) => (instantOf(one) < instantOf(other) ? 1 : -1));
    c.header('cache-control', 'no-store');
    return c.json({
      snapshot: snapshot?.id ?? null,
      running: door
        .pulls()
        .running.filter(({ account }) => account === id)
        .map((one) => paced(one, door.clock())),
      pulls: pulls.slice(0, limit),
      failed: kept.failed ?? [],
      quarantined: kept.quarantined ?? [],
      more_quarantined: kept.more_quarantined ?? 0,
      notices: kept.notices ?? [],
    });
  });

  app.openAPIRegistry.registerPath({
    method: 'post',
    path,
    summary: 'Pull now; a pull that already runs is followed by another one',
    responses: {
      202: {
        description: 'It will run',
        content: { 'application/json': { schema: z.object({ started: z.boolean() }) } },
      },
      409: problem('This server only serves: another one pulls'),
    },
  });
  app.post(path, (c) => {
    if (!door.pullNow)
      throw new Declined('conflict', "this server only serves: run 'npx chatledger pull', or 'npx chatledger start'");
    door.pullNow();
    return c.json({ started: true }, 202);
  });
}

const instantOf = ({ started_at }: { started_at: string }): number => Date.parse(started_at);

/** The ledger writes the second; the message came a little later. */
const isSame = (heard: EndedPull, written: { started_at: string }): boolean =>
  instantOf(written) >= instantOf(heard) - 10_000 && instantOf(written) <= Date.parse(heard.ended_at);

function paced(running: ReturnType<Door['pulls']>['running'][number], now: number): z.infer<typeof Running> {
  const { account, stage, done, total, pulled_since, started_at, stage_began } = running;
  const seconds = (now - stage_began.at) / 1000;
  const rate = done > stage_began.done && seconds > 0 ? (done - stage_began.done) / seconds : null;
  const left = rate === null ? null : Math.ceil((total - done) / rate);
  return { account, stage, done, total, started_at, per_second: rate, seconds_left: left, pulled_since };
}
