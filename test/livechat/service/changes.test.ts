// What changes in the service bring about: for those who read afterwards, for reports, and after a restart or a kill.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restMethods, type RestMethodId } from '#contract/rest-v2.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { ann, at, basic, bob, chat, staff, tinyService } from './tiny.ts';

let it_runs: Awaited<ReturnType<typeof tinyService>>;
let ended: string;
let mails: { to: string; text: string }[] = [];
let refusal: string | undefined;
let mistakes: string[] = [];
const owner = basic('owner@example.com', 'secret');
const visitor = (): string => `S${ended.slice(6)}`;

beforeEach(async () => {
  refusal = undefined;
  mistakes = [];
  const talk = chat('2026-05-06T10:00:00Z', '2026-05-06T10:05:00Z');
  ended = talk.id;
  const statuses = [
    {
      agent: bob,
      status: 'accepting chats' as const,
      from: at('2026-05-06T11:00:00Z'),
      to: at('2026-05-06T12:30:00Z'),
    },
  ];
  it_runs = await tinyService(
    { now: '2026-05-06T12:00:00Z', chats: [talk], statuses },
    {
      onMistake: (error, where) => mistakes.push(`${where}: ${(error as Error).message}`),
      sendMail: (mail) =>
        refusal === undefined ? Promise.resolve(void mails.push(mail)) : Promise.reject(new Error(refusal)),
    },
  );
});
afterEach(() => it_runs.end());

async function send(id: RestMethodId, name: string, body: unknown, headers: Record<string, string> = owner) {
  const { verb, path } = restMethods[id];
  const answer = await fetch(it_runs.service().url + path.replace(':name', encodeURIComponent(name)), {
    method: verb,
    headers: { ...headers, ...(verb !== 'GET' && { 'content-type': 'application/json' }) },
    ...(verb !== 'GET' && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('a change', () => {
  it('of a canned response by form is signed, and is there after a restart', async () => {
    const headers = { ...owner, 'content-type': 'application/x-www-form-urlencoded' };
    const form = (path: string, method: string, body: string) =>
      fetch(it_runs.service().url + path, { method, headers, body }).then((answer) => answer.json()) as Promise<{
        id: number;
      }>;
    const { id } = await form('/canned_responses', 'POST', 'text=Have+a+great+day&tags[]=cu&tags%5B%5D=bye');
    const changed = await form(`/canned_responses/${id}`, 'PUT', 'tags[0]=bye');
    expect(changed).toMatchObject({ text: 'Have a great day', tags: ['bye'], modified_by: 'owner@example.com' });
    await it_runs.restart();
    expect((await send('get_canned_response', String(id), {})).body).toEqual(changed);
    const greeting = await form(
      '/greetings',
      'POST',
      'name=g&rules[0][type]=custom&rules[0][variable_name]=my&rules[0][variable_value]=true&rules[1][type]=url_funnel' +
        '&rules[1][urls][0][url]=mystore.com/shoes&rules[1][urls][1][url]=cart&rules[1][urls][1][operator]=contains',
    );
    expect(greeting).toMatchObject({
      active: true,
      rules: [
        { type: 'custom_variable', operator: 'equals', condition: 'and', variable_name: 'my', variable_value: 'true' },
        { type: 'url_funnel', condition: 'and', urls: [{ operator: 'equals' }, { url: 'cart', operator: 'contains' }] },
      ],
      properties: { active: '1', 'greeting-message_text': 'Hello, would you like to talk about our products?' },
    });
  });
  it('of the tags of a chat replaces them, and one of a goal reaches the reports', async () => {
    await send('update_chat_tags', ended, { 'tag[]': ['tag1', 'tag2'] });
    expect((await send('get_chat', ended, {})).body).toMatchObject({ tags: ['tag1', 'tag2'] });
    const goals = async () =>
      Object.values(
        (await (
          await it_runs.ask('/reports/chats/goals?goal=71&group_by=month&date_from=2026-05-01')
        ).json()) as Record<string, { goals: number }>,
      )[0]!.goals;
    const before = await goals();
    expect((await send('mark_goal_as_successful', '71', { visitor_id: visitor() })).body).toEqual({
      result: 'goal marked as successful',
    });
    expect(await goals()).toBe(before + 1);
  });
  it('of the status is seen by the chat status at once and ends with the simulated day', async () => {
    const online = async () => ((await (await it_runs.ask('/status')).json()) as { status: string }).status;
    expect(await online()).toBe('online');
    const key = basic(bob, staff.agents[1]!.api_key);
    expect((await send('update_agent', bob, { status: 'not accepting chats' }, key)).body).toMatchObject({
      status: 'not accepting chats',
    });
    expect(await online()).toBe('offline');
    expect((await send('update_agent', bob, { permission: 'administrator' }, key)).status).toBe(403);
    it_runs.clock.now = at('2026-05-06T12:30:00Z');
    expect((await send('get_agent', bob, {})).body).toMatchObject({ status: 'offline' });
    it_runs.clock.now = at('2026-05-06T12:00:00Z');
  });
  it('sends a transcript in the words of the documents', async () => {
    mails = [];
    expect((await send('send_transcript', ended, { to: 'john.doe@mycompany.com' })).body).toEqual({
      result: 'E-mail has been sent to john.doe@mycompany.com.',
    });
    expect(mails).toMatchObject([{ to: 'john.doe@mycompany.com' }]);
    refusal = 'no such mailbox';
    const refused = await send('send_transcript', ended, { to: 'nobody@mycompany.com' });
    expect(refused).toEqual({ status: 400, body: { errors: ['to: no such mailbox'] } });
  });
  it('makes a removed agent anew, who has never been here', async () => {
    const made = { login: bob, name: 'Bob', notifications: {} as Record<string, number> };
    for (const name of [
      'new_visitor',
      'returning_visitor',
      'queued_visitor',
      'visitor_is_typing',
      'new_goal',
      'incoming_chat',
    ])
      made.notifications[name] = 1;
    await send('update_agent', bob, { status: 'not accepting chats' });
    await send('delete_agent', bob, {});
    expect((await send('create_agent', '', made)).body).toMatchObject({ status: 'offline', last_logout: 0 });
    await it_runs.restart();
    expect((await send('get_agent', bob, {})).body).toMatchObject({ status: 'offline', last_logout: 0 });
    it_runs.clock.now = at('2026-05-06T12:10:00Z');
    expect((await send('update_agent', bob, { status: 'accepting chats' })).body).toMatchObject({
      status: 'accepting chats',
    });
    it_runs.clock.now = at('2026-05-06T12:20:00Z');
    expect((await send('update_agent', bob, { status: 'offline' })).body.last_logout).toBe(at('2026-05-06T12:20:00Z'));
    it_runs.clock.now = at('2026-05-06T12:00:00Z');
  });
  it('of the own profile shows the API key to nobody who may not read it', async () => {
    const own = async (scopes: string[]) => {
      const store = openStore(it_runs.options.file);
      const token = mintToken(store, { agent: bob, scopes });
      store.close();
      return (await send('update_agent', bob, { job_title: 'Guide' }, { authorization: `Bearer ${token}` })).body;
    };
    expect(await own(['agents--my:rw'])).not.toHaveProperty('api_key');
    expect(await own(['agents--my:rw', 'agents_read'])).toHaveProperty('api_key', staff.agents[1]!.api_key);
  });
  it('by a body without an end is refused when too much has come', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        if (sent > 60_000_000) controller.close();
        else controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const init = { method: 'POST', headers: owner, body, duplex: 'half' };
    const answer = await fetch(`${it_runs.service().url}/tags`, init as RequestInit).catch(() => undefined);
    if (answer) expect(answer.status).toBe(400);
    expect(sent).toBeLessThan(30_000_000);
  });
  it('removes an agent from groups and from the statistics of agents, and no totals; the owner stays', async () => {
    const total = async (query: string) =>
      Object.values(
        (await (await it_runs.ask(`/reports/chats/total_chats?date_from=2026-05-06${query}`)).json()) as Record<
          string,
          { chats: number }
        >,
      ).reduce((sum, { chats }) => sum + chats, 0);
    expect([await total(''), await total(`&agent=${ann}`)]).toEqual([1, 1]);
    expect((await send('delete_agent', ann, {})).body).toEqual({ result: `${ann} removed successfully` });
    expect([await total(''), await total(`&agent=${ann}`)]).toEqual([1, 0]);
    expect((await send('get_group', '1', {})).body.agents).not.toContain(ann);
    expect((await send('list_agents', '', {}, basic(ann, staff.agents[0]!.api_key))).status).toBe(401);
    expect((await send('delete_agent', 'owner@example.com', {})).status).toBe(400);
    expect((await send('delete_group', '0', {})).status).toBe(400);
    expect((await send('delete_group', '2', {})).body).toEqual({ result: 'group removed successfully' });
    expect((await send('get_agent', bob, {})).body.groups).toEqual([{ id: 1, name: 'Sales' }]);
  });
  it('that fails for a reason of its own is told to whoever runs the service', async () => {
    const database = new DatabaseSync(it_runs.options.file);
    database.exec('drop table tags');
    database.close();
    const failed = await send('create_tag', '', { author: 'owner@example.com', tag: 'kept', group: 0 });
    expect(failed).toEqual({ status: 500, body: { error: 'Internal Server Error' } });
    expect(mistakes).toEqual(['POST /tags: no such table: tags']);
  });
  it('survives a kill of the process right after it was acknowledged', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'chatledger-killed-')), 'service.sqlite');
    const script = `
      const { startService } = await import('#service/service.ts');
      const { url } = await startService({ file: ${JSON.stringify(file)}, days: 1, port: 0, apiKey: 'secret' });
      process.stdout.write(url);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = String(((await once(child.stdout, 'data')) as [Buffer])[0]);
    const body = JSON.stringify({ author: 'owner@example.com', tag: 'kept', group: 0 });
    const answer = await fetch(`${url}/tags`, { method: 'POST', headers: owner, body });
    expect(answer.status).toBe(200);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = openStore(file);
    expect(store.staff.one('tags', 'kept')).toMatchObject({ author: 'owner@example.com', group: 0 });
    store.close();
  }, 30_000);
  it('of an account whose file is of an older version begins with the lists that it had', async () => {
    const store = openStore(it_runs.options.file);
    store.putSetting('lists', null);
    for (const { login } of store.staff.all('agents')) store.staff.remove('agents', login);
    store.close();
    const before = await (await it_runs.ask('/chats')).text();
    await it_runs.restart();
    expect(await (await it_runs.ask('/chats')).text()).toBe(before);
    expect((await send('get_agent', ann, {})).status).toBe(200);
  });
});
