// The setting that says of which agents figures are shown by name.
import { expect, it } from 'vitest';
import { agentFiguresOf } from '#server/setting-values.ts';
import { settings } from '#server/settings.ts';

const { CHATLEDGER_AGENT_FIGURES: setting } = settings;

it('is all unless it is said otherwise', () => {
  expect(agentFiguresOf(setting.default)).toEqual({ kind: 'all' });
});

it.each([
  ['all', { kind: 'all' }],
  ['none', { kind: 'none' }],
  ['from:20', { kind: 'from', chats: 20 }],
  ['from:2', { kind: 'from', chats: 2 }],
  ['from:100000', { kind: 'from', chats: 100_000 }],
])('takes %s', (value, figures) => {
  expect(agentFiguresOf(value)).toEqual(figures);
  expect(setting.wrong(value)).toBeUndefined();
});

it.each([
  '',
  'All',
  'from',
  'from:',
  'from:1',
  'from:0',
  'from:-5',
  'from:1.5',
  'from:100001',
  'from: 20',
  'nobody',
  '20',
])('says what is wrong with “%s”', (value) => {
  expect(agentFiguresOf(value)).toBeUndefined();
  expect(setting.wrong(value)).toContain('like from:20');
});
