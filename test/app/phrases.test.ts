// Phrases of the palette: their parts are found in any order, and no word is lost.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { phraseOf, readingsOf, type Phrase } from '#lib/frame/phrases.ts';
import { words } from '#lib/words.ts';

const groups = [
  { id: '1', name: 'Sales' },
  { id: '2', name: 'Technical support' },
  { id: '3', name: 'Support' },
];
const variables = [
  { id: 'plan', title: 'Plan', values: ['free', 'pro', 'pro plus', 'Other'] },
  { id: 'shop_region', title: 'Region of the shop', values: ['North west'] },
];
const spoken = {
  variables,
  ...{ presets: words.presets, groups, agents: [{ id: 'ann@x.test', name: 'Ann Lee' }] },
  ...{ today: '2026-11-24', locale: 'en-GB' },
};
const parts = (text: string) => {
  const { days, groups, agents, chosen, split, count: _, ...more }: Phrase = phraseOf(text, spoken);
  return {
    ...more,
    ...(days ? { days: Object.values(days.query).join('/') } : {}),
    ...(groups.length ? { groups: groups.map(({ id }) => id).join() } : {}),
    ...(chosen.length ? { chosen: chosen.map(({ id, value }) => `${id}:${value}`).join() } : {}),
    ...(split ? { split: split.by } : {}),
    ...(agents.length ? { agents: agents.map(({ id }) => id).join() } : {}),
  };
};

it.each([
  ['agents last month excel', { rest: 'agents', days: 'last-month', file: 'xlsx' }],
  ['Excel agents LAST month', { rest: 'agents', days: 'last-month', file: 'xlsx' }],
  ['group 2 last week', { rest: '', days: 'last-week', groups: '2' }],
  ['technical support queue', { rest: 'queue', groups: '2' }],
  ['first response by hour', { rest: 'first response', grain: 'hour' }],
  ['first response sales technical support by hour', { rest: 'first response', grain: 'hour', groups: '2,1' }],
  ['ratings by agent by week', { rest: 'ratings', grain: 'week', split: 'agent' }],
  ['october csat pdf', { rest: 'csat', days: '2026-10-01/2026-10-31', file: 'pdf' }],
  ['chats 3 oct 2025', { rest: 'chats', days: '2025-10-03/2025-10-03' }],
  ['ann lee this month', { rest: '', days: 'month', agents: 'ann@x.test' }],
  ['last 7 days', { rest: '', days: '7d' }],
  ['chats by plan', { rest: 'chats', split: 'variable:plan' }],
  ['chats by region of the shop last week', { rest: 'chats', days: 'last-week', split: 'variable:shop_region' }],
  ['chats where Plan is pro', { rest: 'chats', chosen: 'plan:pro' }],
  ['csat plan: pro plus by agent', { rest: 'csat', chosen: 'plan:pro plus', split: 'agent' }],
  ['chats plan=free and shop_region is north west', { rest: 'chats', chosen: 'plan:free,shop_region:North west' }],
  ['plan other excel', { rest: '', chosen: 'plan:Other', file: 'xlsx' }],
  ['plan gold', { rest: 'plan gold' }],
  ['sla', { rest: 'sla' }],
  ['csat tuesday', { rest: 'csat', days: '2026-11-24/2026-11-24' }],
  ['by hour', { rest: '', grain: 'hour' }],
  ['', { rest: '' }],
])('%s', (text, expected) => {
  expect(parts(text)).toEqual(expected);
});

it.each([
  // Sales is a group, and what visitors buy.
  ['sales by agent last month', ['sales', '']],
  ['csat sales last week', ['csat sales', 'csat']],
  ['group 1 last week', ['']],
  ['agents last month excel', ['agents']],
  ['sales', []],
  ['queue', []],
])('%s may be said of %j', (text, rests) => {
  expect(readingsOf(text, spoken).map(({ rest }) => rest)).toEqual(rests);
});

it('the order of the parts does not matter, and other words are left as they are', () => {
  const pieces = ['last month', 'group 2', 'by hour', 'by plan', 'where plan is pro plus', 'excel', 'waiting'];
  const whole = parts(pieces.join(' '));
  fc.assert(
    fc.property(fc.shuffledSubarray(pieces, { minLength: pieces.length }), (order) => {
      expect(parts(order.join(' '))).toEqual(whole);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('waiting', 'zebra', 'xy', '42x'), { maxLength: 6 }), (all) => {
      expect(phraseOf(all.join(' '), spoken).rest).toBe(all.join(' '));
    }),
  );
});
