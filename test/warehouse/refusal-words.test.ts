// What is wrong with a value from outside, in words that say what to write instead.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { refusal_words } from '#warehouse/refusal-words.ts';

const told = (shape: z.ZodType, value: unknown): string[] =>
  (shape.safeParse(value, refusal_words).error?.issues ?? []).map(({ path, message }) =>
    [...path, message].map(String).join(': '),
  );
const kinds = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('mail') }),
  z.strictObject({ kind: z.literal('folder') }),
]);

it.each<[z.ZodType, unknown, string]>([
  [z.strictObject({ name: z.string() }), {}, 'name: must be given, as a text'],
  [z.strictObject({ name: z.string() }), { name: 3 }, 'name: must be a text'],
  [z.coerce.number(), 'abc', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.int(), 1e20, 'must be at most 9007199254740991'],
  [z.strictObject({}), [], 'must be an object'],
  [z.strictObject({}), { a: 1 }, 'there is no field a'],
  [z.strictObject({ b: z.string().optional() }), { a: 1, c: 2 }, 'there is no field a, c, only b'],
  [z.array(z.string()).min(2), [], 'must have at least 2 entries'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().lt(5), 5, 'must be less than 5'],
  [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.string().length(3), 'a', 'must have 3 characters'],
  [z.enum(['day', 'week']), 'year', 'must be one of day, week'],
  [z.strictObject({ grain: z.enum(['day', 'week']) }), {}, 'grain: must be given, as one of day, week'],
  [z.literal('2.0'), '1', 'must be 2.0'],
  [z.iso.date(), '2026-11-31', 'must be a day that there is, written as 2026-11-01'],
  [z.iso.datetime(), 'now', 'must be an instant, written as 2026-11-01T08:00:00Z'],
  [z.email(), 'ann', 'must be an e-mail address'],
  [z.base64(), '%', 'must be base64'],
  [z.ipv4(), 'x', 'must be of the format ipv4'],
  [z.string().regex(/^a+$/), 'b', 'must be written as /^a+$/'],
  [z.union([z.string(), z.number(), z.null()]), [], 'must be a text or a number or null'],
  [z.strictObject({ at: z.union([z.string(), z.int()]) }), {}, 'at: must be given, as a text or a number'],
  [kinds, { kind: 'pigeon' }, 'kind: must be one of mail, folder'],
  [z.record(z.string().regex(/^a$/, { error: 'must be a' }), z.string()), { b: '' }, 'b: must be a'],
  // The shape's own words stay.
  [z.string({ error: 'must be a name' }), 1, 'must be a name'],
])('%#: %s', (shape, value, words) => {
  expect(told(shape, value)).toEqual([words]);
});
