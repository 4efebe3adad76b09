// Every page times who asks, over HTTP at the running product: nobody, each role, each right taken away, what is over.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, request } from 'undici';
import { expect } from '@playwright/test';
import { requires, rightNames, roleNames, roles, type Right, type Role } from '#auth/rights.ts';
import { chat, lines, staff } from '../livechat/service/tiny.ts';
import { pages, type Page } from '../access/pages.ts';
import { partOf } from '../whole.ts';
import { startSecond } from './second.ts';
import { test } from './product.ts';

const HOUR = 3_600_000;
const instant = (hoursAgo: number, minutes = 0) =>
  new Date(Date.now() - hoursAgo * HOUR + minutes * 60_000).toISOString();
const chats = Array.from({ length: 4 }, (_, index) =>
  chat(instant(30 + index), instant(30 + index, 10), { events: lines(instant(30 + index), 'v5', 'a20') }),
);
const password = 'correct horse battery staple';
const next = 'a bicycle for two or three';

type Shown = Record<string, string>;
interface Answered {
  status: number;
  to: string;
  cookie: string;
  text: string;
}

let own: Awaited<ReturnType<typeof startSecond>>;
const client = new Agent({ connections: 4 });
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  own = await startSecond([{ id: 'default', staff, records: { chats } }]);
});
test.afterAll(async () => {
  await client.destroy();
  await own.end();
});

async function asked(path: string, headers: Shown, method = 'GET', body?: object): Promise<Answered> {
  const json: Shown = body ? { 'content-type': 'application/json' } : {};
  const sent = { dispatcher: client, method, headers: { ...json, ...headers } };
  const answer = await request(`${own.url}${path}`, body ? { ...sent, body: JSON.stringify(body) } : sent);
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]);
  const to = String(answer.headers.location ?? '');
  return { status: answer.statusCode, to, cookie: cookies.join('; '), text: await answer.body.text() };
}

async function done(path: string, headers: Shown, method: string, body?: object): Promise<Answered> {
  const answer = await asked(`/api${path}`, headers, method, body);
  expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, answer.status, '']);
  return answer;
}
const signedIn = async (email: string, secret: string): Promise<Shown> => ({
  cookie: (await done('/sign-in', {}, 'POST', { email, password: secret })).cookie,
});

/** A user of an admin, who has chosen a password of their own and signed in. */
async function userWith(admin: Shown, name: string, about: object): Promise<Shown> {
  const email = `${name}@example.com`;
  await done('/users', admin, 'POST', { email, name, password, ...about });
  const first = await signedIn(email, password);
  return { cookie: (await done('/me/password', first, 'PUT', { password, next })).cookie };
}

const bearer = (secret: string): Shown => ({ authorization: `Bearer ${secret}` });
const withNeeded = (right: Right): Right[] => [right, ...(requires[right] ? withNeeded(requires[right]) : [])];

/** All who ask, by what they are called. */
async function everybody(): Promise<{
  admin: Shown;
  asking: Record<string, Shown>;
  rights: Record<string, readonly Right[]>;
}> {
  await done('/first-admin', {}, 'POST', { name: 'Olga', email: 'olga@example.com', password });
  const admin = await signedIn('olga@example.com', password);
  const asking: Record<string, Shown> = { nobody: {} };
  const rights: Record<string, readonly Right[]> = {};
  for (const role of roleNames as readonly Role[]) {
    const rows = role === 'agent' ? { agent: 'ann@example.com' } : {};
    asking[role] = await userWith(admin, role, { role, rows });
    rights[role] = roles[role];
  }
  const tokenOf = async (name: string, given: readonly Right[]): Promise<{ secret: string; id: string }> => {
    const made = await done('/tokens', admin, 'POST', { name, rights: given, days: 2 });
    const { secret, token } = JSON.parse(made.text) as { secret: string; token: { id: string } };
    return { secret, id: token.id };
  };
  for (const right of rightNames) {
    const rest = rightNames.filter((one) => !withNeeded(one).includes(right));
    asking[`without ${right}`] = bearer((await tokenOf(right, rest)).secret);
    rights[`without ${right}`] = rest;
  }
  const [expired, revoked] = [await tokenOf('expired', rightNames), await tokenOf('revoked', rightNames)];
  expect((await asked('/queue', bearer(expired.secret))).status).toBe(200);
  await done(`/tokens/${revoked.id}`, admin, 'DELETE');
  const state = new DatabaseSync(join(own.folder, 'data', 'app.sqlite'));
  state
    .prepare('update api_tokens set expires_at = ? where id = ?')
    .run(new Date(Date.now() - HOUR).toISOString(), expired.id);
  state.close();
  const ended = await signedIn('olga@example.com', password);
  await done('/sign-out', ended, 'POST');
  Object.assign(asking, {
    ...{ 'an expired token': bearer(expired.secret), 'a revoked token': bearer(revoked.secret) },
    'an ended session': ended,
  });
  return { admin, asking, rights };
}

const routesOf = (folder: string, path = ''): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    if (one.isDirectory()) return routesOf(join(folder, one.name), `${path}/${one.name}`);
    return one.name === '+page.svelte' ? [path] : [];
  });

/** What somebody gets of a page: it, a refusal, or the way to another one. */
function expectedOf({ needs, isNotOfAgents }: Page, who: string, rights: readonly Right[] | undefined): string {
  if (needs === 'anybody') return 'it';
  if (!rights) return 'sign in';
  if (!rights.includes(needs) || !rights.includes('numbers:read')) return 'refused';
  return isNotOfAgents && who === 'agent' ? 'the own figures' : 'it';
}

function seenOf({ status, to }: Answered): string {
  if (status === 303 || status === 307)
    return to.startsWith('/sign-in') ? 'sign in' : to === '/own-figures' ? 'the own figures' : to;
  if (status === 403) return 'refused';
  // What is not there is told to those alone who may see whether it is.
  return status === 200 || status === 404 ? 'it' : String(status);
}

/**
 * Everybody who is refused; and of those who are let in, of the roles and of those who lack a right that the page has no need of, another with
 * each page: drawing it for all of them is most of the work, and takes nothing from anybody. With the drill all of them.
 */
function askersOf(page: Page, place: number, whose: Record<string, readonly Right[] | undefined>): string[] {
  const all = Object.keys(whose);
  const letIn = all.filter((who) => whose[who] && expectedOf(page, who, whose[who]) === 'it');
  const [ofRoles, lacking] = [true, false].map((is) => letIn.filter((who) => isRole(who) === is));
  const drawn = [ofRoles, lacking].flatMap((some = []) => partOf(some, some.length, place));
  return all.filter((who) => !letIn.includes(who) || drawn.includes(who));
}
const isRole = (who: string): boolean => (roleNames as readonly string[]).includes(who);

test('every page is for those alone whom the table names', async () => {
  expect(routesOf('src/app/routes').sort()).toEqual(Object.keys(pages).sort());
  const { asking, rights } = await everybody();
  const whose = Object.fromEntries(Object.keys(asking).map((who) => [who, rights[who]]));
  const found: [page: string, who: string, seen: string, expected: string][] = [];
  const met = new Set<string>();
  for (const [place, [name, page]] of Object.entries(pages).entries())
    await Promise.all(
      askersOf(page, place, whose).map(async (who) => {
        const [seen, expected] = [seenOf(await asked(page.at, asking[who] ?? {})), expectedOf(page, who, rights[who])];
        if (seen !== expected) found.push([name, who, seen, expected]);
        if (seen === 'it') met.add(who);
      }),
    );
  expect(found).toEqual([]);
  expect(roleNames.filter((role) => !met.has(role))).toEqual([]);
  // Whoever lacks a right is let in somewhere: no refusal comes of a token that opens nothing.
  expect(rightNames.filter((right) => !met.has(`without ${right}`) && right !== 'numbers:read')).toEqual([]);
});
