// Arguments on the wire: bracketed and repeated names, days, zones and the words of a refusal.
import { describe, expect, it } from 'vitest';
import { errorWords } from '#contract/errors.ts';
import { callbackName, complaints, isZone, queryOf } from '#contract/query.ts';
import { reportIds, reports } from '#contract/reports.ts';
import { inherited } from '../../dashboards/inherited.ts';

const read = (search: string) => queryOf(new URLSearchParams(search));

describe('a query', () => {
  it('takes bracketed, indexed, encoded and repeated names for one list, in order', () => {
    for (const search of ['tag[]=a&tag[]=b', 'tag[0]=a&tag[1]=b', 'tag%5B0%5D=a&tag%5B1%5D=b', 'tag=a&tag=b']) {
      expect(read(search)).toEqual({ tag: ['a', 'b'] });
    }
    expect(read('tag=a&group[]=1')).toEqual({ tag: 'a', group: ['1'] });
  });
  it('may be called like a member of every object', () => {
    for (const name of inherited) expect(Object.entries(read(`${name}=a`))).toEqual([[name, 'a']]);
  });
});

describe('the arguments of a report', () => {
  it.each(reportIds)('of %s may all be left out, but for the weekday', (id) => {
    const args = reports[id].args.parse(id === 'agents_occupancy' ? { weekday: 'mon' } : {});
    expect(args).toMatchObject({ groups: [], agents: [], tags: [] });
  });
  it('hold both spellings of groups and agents', () => {
    const args = reports.not_replied_chats.args.parse(read('groups[]=1&group=2&agents[]=a&agent=b&tag[]=t'));
    expect(args).toMatchObject({ groups: [2, 1], agents: ['b', 'a'], tags: ['t'] });
  });
  it('that a report does not take are ignored, whatever they say', () => {
    expect(reports.queued_visitors.args.parse(read('agent=a&tag[]=t'))).toMatchObject({ agents: [], tags: [] });
    expect(reports.chat_ranking.args.parse(read('group_by=nonsense'))).not.toHaveProperty('group_by');
  });
  it.each(['2026-02-30', 'INVALID', '26-01-01', '1999-12-31'])('refuse the date %s in one sentence', (date) => {
    const parsed = reports.total_chats.args.safeParse({ date_from: date });
    expect(parsed.success).toBe(false);
    expect(complaints(parsed.error!)).toEqual([expect.stringMatching(/^date_from: must/)]);
  });
});

it('a zone is a name of the TZ database, not an offset', () => {
  expect(['UTC', 'Europe/Warsaw', 'Asia/Kathmandu'].map(isZone)).toEqual([true, true, true]);
  expect(['', '+02:00', 'Nowhere/Here', '../etc'].map(isZone)).toEqual([false, false, false, false]);
});

it('a callback is the dotted name of a function', () => {
  expect(['cb', 'jQuery1.cb_2', '$'].map((name) => callbackName.test(name))).toEqual([true, true, true]);
  expect(['1cb', 'a(b)', 'a;b', ''].map((name) => callbackName.test(name))).toEqual([false, false, false, false]);
});

it('the words of an error are found in every form of body', () => {
  const forms = [
    { error: 'x' },
    { errors: ['x'] },
    { errors: 'x' },
    { error: ['x'] },
    { error: { message: 'x' } },
    { message: 'x' },
  ];
  for (const form of forms) expect(errorWords(form)).toBe('x');
  for (const form of [null, 'x', {}]) expect(errorWords(form)).toBeUndefined();
});
