// The embedded service on demand: what `service --chaos` says, what it refuses, and what it tells at the end of a drill.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultNames } from '#service/chaos/faults.ts';
import { partOf } from '../chance.ts';
import { begin, newFolder, runToEnd, until } from './program.ts';

const settings = (port: number) => ({
  ...{ CHATLEDGER_SERVICE_PORT: String(port), CHATLEDGER_SERVICE_DAYS: '2' },
  CHATLEDGER_SERVICE_API_KEY: 'ab'.repeat(16),
});
const authorization = `Basic ${Buffer.from(`owner@example.com:${'ab'.repeat(16)}`).toString('base64')}`;

test('help names every fault and needs nothing', async () => {
  const { code, said } = await runToEnd(['service', '--chaos', 'help'], {}, newFolder());
  expect(code).toBe(0);
  expect(faultNames.filter((name) => !said.includes(`  ${name} `))).toEqual([]);
});

test('a plan that means nothing is refused with what it can be, before anything starts', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'broken.json'), '{');
  writeFileSync(join(folder, 'wrong.json'), '{"rates": {"html": 3}}');
  writeFileSync(join(folder, 'other.json'), '{"sed": 3}');
  const plans = [
    ['nothing', 'no such file'],
    ['reste=0.1', "'reste' is no fault"],
    ['broken.json', 'not readable as JSON'],
    ['wrong.json', 'rates.html: must be a number from 0 to 1'],
    ['other.json', "'sed' is no part of a plan; choose from seed, rates, "],
    ['html@/chats#3x', 'script.0.path: must be a path like /chats'],
    ['reset=0.1,seed=1,reset=0.2', 'reset: is said more than once'],
  ] as const;
  for (const [plan, words] of partOf(plans, 3)) {
    const { code, complained } = await runToEnd(['service', '--chaos', plan], settings(3263), folder);
    expect([plan, code, complained]).toEqual([plan, 2, expect.stringContaining(words)]);
  }
  const dated = await runToEnd(['service', '--legacy', 'soon'], settings(3263), folder);
  expect([dated.code, dated.complained]).toEqual([2, expect.stringContaining('--legacy soon must be a date')]);
});

test('a plan of a file is followed, each fault is told, and the end counts what arrived', async () => {
  const folder = newFolder();
  const plan = {
    script: [
      { fault: '503', path: '/agents' },
      { fault: 'html', path: '/groups' },
    ],
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const command = ['service', '--chaos', 'plan.json', '--legacy', '2027-05-31', '--deprecation', '2026-12-31'];
  const running = begin(command, settings(3264), folder);
  await until(() => running.said().includes('misbehaves'), 60, 'the service');
  const ask = (path: string) => fetch(`http://127.0.0.1:3264${path}`, { headers: { authorization } });
  expect((await ask('/agents')).status).toBe(503);
  expect((await ask('/agents')).headers.get('legacy')).toBe('2027-05-31');
  expect(await (await ask('/groups')).text()).toContain('<h1>');
  expect((await ask('/chats')).headers.get('deprecation')).toBe('2026-12-31');
  running.child.kill('SIGINT');
  const { code, said, complained } = await running.ended;
  expect(code).toBe(0);
  expect(said).toContain('4 requests arrived: 3 reached the service, 1 were kept away; 2 faults');
  expect(complained.trim().split('\n')).toEqual(['503  /agents', 'html  /groups']);
});
