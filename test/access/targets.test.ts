// Targets and goals for periods over HTTP: who may set them, whose are seen, what is refused, and what the audit keeps.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAuth } from '#auth/auth.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert, type Chat } from '../warehouse/account.ts';
import { openDoors, type Doors } from './api.ts';

const folder = mkdtempSync(join(tmpdir(), 'targets-'));
let engine: Store;
beforeAll(async () => {
  // On 20 May, in group 2 twelve of fifteen are rated good, in group 3 three of fifteen.
  const chats = [2, 3].flatMap((group) =>
    Array.from({ length: 15 }, (_, at): Chat => {
      const isGood = at < (group === 2 ? 12 : 3);
      return { start: `2026-05-20T10:${10 + at}:00Z`, groups: [group], rate: isGood ? 'rated_good' : 'rated_bad' };
    }),
  );
  const writer = await account(chats, 'Europe/Warsaw');
  const groups = [2, 3].map((group_id) => ({ group_id, name: `Group ${group_id}` }));
  await insert(writer, 'account', 'groups', groups);
  const { file } = await publish(writer, folder, Date.parse('2026-06-01T00:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

type Json = Record<string, unknown>;
const json = async (answer: Response) => (await answer.json()) as Json;
const csat = { kind: 'satisfaction', valid_from: '2026-05-01', share: 0.5 };

/** Asks as somebody; a body is put. */
const asking =
  (doors: Doors, cookie: string) =>
  async (path: string, body?: Json): Promise<{ status: number; answer: Json }> => {
    const answer = await doors.ask(path, { cookie }, body ? { method: 'PUT', body } : {});
    return { status: answer.status, answer: await json(answer) };
  };

const days = '/targets/days?from=2026-05-20&to=2026-05-20';
const verdicts = ({ answer }: { answer: Json }) =>
  (answer['judged'] as { kind: string; group: number | null; days: { verdict: string }[] }[]).map(
    ({ kind, group, days }) => [kind, group, days[0]?.verdict],
  );
const groupsOf = ({ answer }: { answer: Json }, list: string) => (answer[list] as Json[]).map(({ group }) => group);
const message = ({ answer }: { answer: Json }) => (answer['error'] as { message: string }).message;

/** With links that can be shared. */
function sharing(): Doors {
  const opened: { doors?: Doors } = {};
  const clock = () => opened.doors?.now() ?? Date.now();
  const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock, hasSharing: true });
  return (opened.doors = openDoors(engine, { auth }));
}

async function opened(doors = openDoors(engine)) {
  const admin = asking(doors, (await doors.userWith('admin', { name: 'Ada' })).cookie);
  const ofTwo = asking(doors, (await doors.userWith('manager', { rows: { groups: [2] } })).cookie);
  return { doors, admin, ofTwo };
}

it('readers of some groups see, judge and set the targets of these alone', async () => {
  const { doors, admin, ofTwo } = await opened();
  for (const group of [null, 2, 3]) expect((await admin('/targets', { ...csat, group })).status).toBe(200);
  expect(groupsOf(await admin('/targets'), 'targets')).toEqual([null, 2, 3]);
  expect(groupsOf(await ofTwo('/targets'), 'targets')).toEqual([2]);
  // Half of all are good; in one group more, in the other less.
  expect(verdicts(await admin(days))).toEqual([['satisfaction', null, 'met']]);
  expect(verdicts(await admin(`${days}&group=3`))).toEqual([['satisfaction', 3, 'missed']]);
  expect(verdicts(await admin(`${days}&group=2&group=3`))).toEqual([]);
  expect(verdicts(await ofTwo(days))).toEqual([['satisfaction', 2, 'met']]);
  expect(verdicts(await ofTwo(`${days}&group=3`))).toEqual([]);
  for (const group of [null, 3]) {
    const refused = await ofTwo('/targets', { ...csat, group });
    expect([refused.status, message(refused)]).toEqual([403, expect.stringContaining('may')]);
  }
  expect((await ofTwo('/targets', { ...csat, group: 2, share: 0.9 })).status).toBe(200);
  expect(verdicts(await ofTwo(days))).toEqual([['satisfaction', 2, 'missed']]);
  const [other] = (await admin('/targets')).answer['targets'] as { id: string }[];
  const { cookie } = await doors.userWith('manager', { rows: { groups: [2] } });
  expect((await doors.ask(`/targets/${other?.id}`, { cookie }, { method: 'DELETE' })).status).toBe(403);
});

it('an agent, whose chats no target is about, sees none; whoever sees no names sees those of all chats', async () => {
  const { doors, admin } = await opened();
  await admin('/targets', { ...csat, group: null });
  await admin('/period-goals', { kind: 'chats', group: 2, amount: 100, from: '2026-05-01', to: '2026-06-30' });
  const agent = asking(doors, (await doors.userWith('agent', { rows: { agent: 'a@x.test' } })).cookie);
  const viewer = asking(doors, (await doors.userWith('viewer')).cookie);
  expect([groupsOf(await agent('/targets'), 'targets'), verdicts(await agent(days))]).toEqual([[], []]);
  expect(groupsOf(await agent('/period-goals'), 'goals')).toEqual([]);
  expect([groupsOf(await viewer('/targets'), 'targets'), verdicts(await viewer(days))]).toEqual([
    [null],
    [['satisfaction', null, 'met']],
  ]);
  expect(groupsOf(await viewer('/period-goals'), 'goals')).toEqual([2]);
});

it('a goal is kept, says how it stands, is changed and removed', async () => {
  const { doors, admin, ofTwo } = await opened();
  const goal = { kind: 'chats', group: 2, amount: 100, from: '2026-05-01', to: '2026-06-30' };
  const { id } = (await admin('/period-goals', goal)).answer as { id: string };
  const paces = async () =>
    ((await ofTwo('/period-goals')).answer['goals'] as { pace: Json }[]).map(({ pace }) => pace);
  expect(await paces()).toMatchObject([{ reached: 15, through: '2026-05-31', days_left: 30, per_day: 85 / 30 }]);
  await ofTwo('/period-goals', { ...goal, id, amount: 15 });
  expect(await paces()).toMatchObject([{ reached: 15, standing: 'reached' }]);
  expect((await ofTwo('/period-goals', { ...goal, id, group: null })).status).toBe(403);
  expect((await admin('/period-goals', { ...goal, id: 'none' })).status).toBe(404);
  const { cookie } = await doors.userWith('manager');
  const gone = async () => (await doors.ask(`/period-goals/${id}`, { cookie }, { method: 'DELETE' })).status;
  expect([await gone(), await gone(), (await paces()).length]).toEqual([204, 404, 0]);
});

it('what is wrong is named, with what to do, and changes nothing', async () => {
  const { admin } = await opened();
  const goal = { kind: 'chats', amount: 100, from: '2026-05-01', to: '2026-06-30' };
  const wrong: [path: string, body: Json, told: string][] = [
    ['/targets', { ...csat, group: 9 }, 'there is no group 9, only 2, 3'],
    ['/targets', { ...csat, share: 90 }, 'share'],
    ['/targets', { ...csat, valid_from: '2026-02-30' }, 'valid_from'],
    ['/targets', { ...csat, seconds: 30 }, 'satisfaction is not measured within seconds'],
    ['/targets', { ...csat, kind: 'service_level' }, 'say how many'],
    ['/period-goals', { ...goal, from: '2026-07-01' }, 'is after to'],
    ['/period-goals', { ...goal, to: '2029-06-30' }, 'at most 400 days'],
    ['/period-goals', { ...goal, amount: 0.5 }, 'whole number of chats'],
    ['/period-goals', { ...goal, kind: 'satisfaction' }, 'share from 0 to 1'],
  ];
  for (const [path, body, told] of wrong) {
    const refused = await admin(path, body);
    expect([body, refused.status, message(refused)]).toEqual([body, 400, expect.stringContaining(told)]);
  }
  expect(groupsOf(await admin('/targets'), 'targets')).toEqual([]);
  expect(groupsOf(await admin('/period-goals'), 'goals')).toEqual([]);
  expect((await admin('/targets/days?from=2026-05-20')).status).toBe(400);
  expect((await admin('/targets', csat)).status).toBe(200);
  for (const [wrong, says] of [
    ['from=2026-05-20&to=2026-05-01', 'from=2026-05-20 is after to=2026-05-01'],
    ['from=2026-05-20&to=2026-05-32', 'to=2026-05-32 is not a date'],
    ['from=2026-05-20&to=2026-05-20&timezone=Mars/Base', 'timezone=Mars/Base is not an IANA time zone'],
  ] as const) {
    const refused = await admin(`/targets/days?${wrong}`);
    expect([refused.status, message(refused)]).toEqual([400, expect.stringContaining(says)]);
  }
});

it('the audit says who wanted what from when', async () => {
  const { doors, admin } = await opened();
  await admin('/targets', { kind: 'first_response', group: 2, valid_from: '2026-05-01', share: 0.8, seconds: 45 });
  await admin('/targets', { kind: 'first_response', group: 2, valid_from: '2026-05-20', share: null });
  const told = doors.auth.audit.list({ action: 'target.changed' }, 10).map(({ who, about }) => [who, about]);
  expect(told).toEqual([
    ['person1@example.com', 'account default, kind first_response, group 2, valid_from 2026-05-20, share none'],
    [
      'person1@example.com',
      'account default, kind first_response, group 2, valid_from 2026-05-01, share 0.8, seconds 45',
    ],
  ]);
});

it('a shared link shows the targets of what it shows, as far as its maker sees these chats', async () => {
  const { doors, admin, ofTwo } = await opened(sharing());
  const two = (await doors.userWith('manager', { rows: { groups: [2] } })).cookie;
  const all = (await doors.userWith('manager')).cookie;
  for (const group of [null, 2, 3]) expect((await admin('/targets', { ...csat, group })).status).toBe(200);
  await ofTwo('/targets', { kind: 'abandonment', group: 2, valid_from: '2026-05-01', share: 0.1 });
  const filters = { from: '2026-05-20', to: '2026-05-20' };
  const shared = async (cookie: string, page: string, chosen: object = {}) => {
    const body = { title: 'May', page, filters: { ...filters, ...chosen }, days: 30 };
    const { key } = (await json(await doors.ask('/shares', { cookie }, { method: 'POST', body }))) as { key: string };
    const answer = await json(await doors.ask('/share', { authorization: `Bearer ${key}` }));
    return verdicts({ answer });
  };
  expect(await shared(all, 'ratings/csat')).toEqual([['satisfaction', null, 'met']]);
  expect(await shared(all, 'ratings/csat', { group: [3] })).toEqual([['satisfaction', 3, 'missed']]);
  expect(await shared(two, 'ratings/csat')).toEqual([['satisfaction', 2, 'met']]);
  expect(await shared(two, 'overview/volume')).toEqual([]);
  expect(await shared(all, 'ratings/csat', { tag: ['refund'] })).toEqual([]);
});
