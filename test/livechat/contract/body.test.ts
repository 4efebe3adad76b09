// Bodies as JSON and as forms: every bracket form, lists of any length, and what is too much.
import { expect, it } from 'vitest';
import { bodyOf } from '#contract/body.ts';

const form = (text: string) => bodyOf(text, 'application/x-www-form-urlencoded');

it('elements without a number follow the largest one, and none is lost', () => {
  expect(form('tag[1]=a&tag[]=b')).toEqual({ tag: ['a', 'b'] });
  expect(form('tag[2]=z&tag[]=a&tag[]=b')).toEqual({ tag: ['z', 'a', 'b'] });
  expect(form('tag=a&tag=b')).toEqual({ tag: ['a', 'b'] });
  expect(form('n[x]=1&n[y][0]=2&n[y][]=3')).toEqual({ n: { x: '1', y: ['2', '3'] } });
  expect(bodyOf('{"tag[]": ["a", "b"], "n": {"x": 1}}', 'application/json')).toEqual({ tag: ['a', 'b'], n: { x: 1 } });
});

it('a list of as many elements as there may be is read at once, and a longer one is refused', () => {
  const list = (length: number) => JSON.stringify({ 'tag[]': Array.from({ length }, () => 1) });
  const started = performance.now();
  expect(bodyOf(list(5000), 'application/json').tag).toHaveLength(5000);
  expect(performance.now() - started).toBeLessThan(1000);
  expect(() => bodyOf(list(260_000), 'application/json')).toThrow('at most 5000 fields');
});

it('names of objects do not reach those that all have', () => {
  expect(form('__proto__[x]=1&constructor[prototype][x]=1')).not.toHaveProperty('x');
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
