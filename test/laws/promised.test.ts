// Nothing that a release promised is gone: docs/promised.json is what the last one had.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingSince, promisedNow, type Promised } from '#server/promised.ts';

const released = JSON.parse(readFileSync('docs/promised.json', 'utf8')) as Promised;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

test('endpoints, settings, commands, tables and metrics of the last release are still there', () => {
  expect(missingSince(released, promisedNow())).toEqual([]);
});

test('all kinds are promised', () => {
  for (const [kind, least] of Object.entries({ api: 60, settings: 50, commands: 20, tables: 20, metrics: 20 }))
    expect([kind, Object.keys(released[kind] ?? {}).length >= least]).toEqual([kind, true]);
  expect(released['commands']?.['pull']).toContain('--since');
  expect(released['tables']?.['facts.chats']).toContain('chat_id text');
  expect(released['api']?.['GET /ready']).toEqual([]);
});

test('what is gone, or has lost a part, is found', () => {
  const before = { settings: { A: [], B: [] }, tables: { t: ['one int', 'two int'] } };
  expect(missingSince(before, before)).toEqual([]);
  expect(
    missingSince(before, { settings: { A: [], C: [] }, tables: { t: ['one int', 'two text', 'three int'] } }),
  ).toEqual(['settings: B', 'tables: t two int']);
});

test('the changelog begins with what is coming or with this version', () => {
  const [, newest] = /^## (.*)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  expect([`Unreleased`, version]).toContain(newest?.split(' ')[0]);
});
