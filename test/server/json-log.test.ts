// The log as JSON: one record a line, with what a collector needs and without what nobody may read there.
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { createJsonLog, withoutPrivate } from '#server/json-log.ts';
import { keepFromLog, secretsOfLog } from '#server/terminal.ts';
import { patternOf } from '#server/request-log.ts';
import { newFolder, runToEnd } from './program.ts';

const parsed = (lines: readonly string[]): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

test('a record is one line with level, time, command, version and its fields', () => {
  const lines: string[] = [];
  const log = createJsonLog((line) => lines.push(line), 'start', ['hunter2 and more']);
  log('warn', ['the pull stopped: key hunter2 and more\nlevel: error'], { request_id: 'proxy-1234', ms: 7 });
  log('error', ['Error: broken', '    at one (a.ts:1:1)', '    at two (b.ts:2:2)']);
  expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
  const version = expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown;
  const base = { time, version, pid: process.pid, command: 'start' };
  expect(parsed(lines)).toEqual([
    { ...base, level: 'warn', request_id: 'proxy-1234', ms: 7, msg: 'the pull stopped: key …\nlevel: error' },
    { ...base, level: 'error', msg: 'Error: broken', details: '    at one (a.ts:1:1)\n    at two (b.ts:2:2)' },
  ]);
});

test.each([
  ['mail to vera.b+x@example.co.uk failed', 'mail to …@… failed'],
  ['agent vera%40example.com', 'agent …@…'],
  ['żaneta@przykład.pl', '…@…'],
  ['GET https://host/v2/chats?query=my+password&page=2 answered 500', 'GET https://host/v2/chats?… answered 500'],
  ['/api/chats?search=secret', '/api/chats?…'],
  ['sent Authorization: Bearer dal:abc_DEF-123', 'sent Authorization: Bearer …'],
  ['Basic dXNlcjpwYXNz was refused', 'Basic … was refused'],
  ["import adapter from '@sveltejs/adapter-node'", "import adapter from '@sveltejs/adapter-node'"],
  ['what is it? nobody knows', 'what is it? nobody knows'],
])('%j is written as %j', (text, written) => {
  expect(withoutPrivate(text)).toBe(written);
});

test('no e-mail address is left, wherever it stands', () => {
  const address = fc.tuple(fc.stringMatching(/^[a-z0-9.]{1,8}$/), fc.stringMatching(/^[a-z0-9]{1,8}\.[a-z]{2,4}$/));
  fc.assert(
    fc.property(address, fc.string(), fc.string(), ([name, host], before, after) => {
      expect(withoutPrivate(`${before} ${name}@${host} ${after}`)).not.toContain(`${name}@${host}`);
    }),
  );
});

test.each([
  ['GET', '/api/metrics/total_chats', '/api/metrics/{id}'],
  ['GET', '/api/chats/C123', '/api/chats/{id}'],
  ['HEAD', '/api/ready', '/api/ready'],
  ['GET', '/api/vera@example.com', '/api/…'],
  ['GET', '/', '/'],
  ['GET', '/queue', '/queue'],
  ['GET', '/agents/vera%40example.com', '/agents/…'],
  ['GET', '/vera@example.com', '/…'],
])('%s %s is logged as %s', (method, path, pattern) => {
  expect(patternOf(method, path)).toBe(pattern);
});

test('a command that fails says so as records, and answers as ever', async () => {
  const settings = { CHATLEDGER_LOG: 'json', CHATLEDGER_TIMEZONE: 'Mars', CHATLEDGER_TOKEN: 'dal:very-secret' };
  const { code, complained, said } = await runToEnd(['pull'], settings, newFolder());
  expect([code, said]).toEqual([2, '']);
  expect(parsed(complained.trimEnd().split('\n'))).toMatchObject([
    { level: 'error', command: 'pull', msg: expect.stringContaining('CHATLEDGER_TIMEZONE=Mars must') as unknown },
  ]);
  const answer = await runToEnd(['metrics', '--json'], { CHATLEDGER_LOG: 'json' }, newFolder());
  expect([answer.code, answer.complained, typeof JSON.parse(answer.said)]).toEqual([0, '', 'object']);
});

test('another form of log is refused', async () => {
  const { code, complained } = await runToEnd(['pull'], { CHATLEDGER_LOG: 'xml' }, newFolder());
  expect([code, complained]).toEqual([2, expect.stringContaining('CHATLEDGER_LOG=xml must be text or json')]);
});

test('a secret that is set while the program runs is not in the log from then on', () => {
  const lines: string[] = [];
  const log = createJsonLog((line) => lines.push(line), 'start', secretsOfLog);
  log('error', ['cannot reach n3w-s3cret-passphrase']);
  keepFromLog(['n3w-s3cret-passphrase']);
  log('error', ['cannot reach n3w-s3cret-passphrase'], { path: 'n3w-s3cret-passphrase' });
  expect(lines.map((line) => line.includes('s3cret'))).toEqual([true, false]);
});
