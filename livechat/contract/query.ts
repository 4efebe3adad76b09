// How arguments arrive on the wire: bracketed lists, repeated names, and the pieces every method shares.
import { z } from 'zod';

/**
 * One value per argument name: text, or a list when the name was repeated or bracketed.
 * `tag[]=a`, `tag[0]=a`, `tag%5B0%5D=a` and `tag=a&tag=b` all give `tag`; the order is kept.
 */
export function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  // An argument may be called like a member that every object inherits.
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [key, value] of search) {
    const bracket = /^([^[\]]+)\[\d*\]$/.exec(key);
    const name = bracket?.[1] ?? key;
    const before = query[name];
    if (before === undefined) query[name] = bracket ? [value] : value;
    else query[name] = [...(Array.isArray(before) ? before : [before]), value];
  }
  return query;
}

const listed = (value: unknown): unknown => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const last = (value: unknown): unknown => (Array.isArray(value) ? value.at(-1) : value);

const firstYear = 2000;

/** A calendar date, from the year 2000. */
export const day = z.preprocess(
  last,
  z.iso
    .date('must be a date like 2026-01-31')
    .refine((text) => !(Number(text.slice(0, 4)) < firstYear), `must not lie before the year ${firstYear}`)
    .optional(),
);

/** Names that were found good, in lower case: asking the platform costs more than a whole report, and it knows no other case. */
const goodZones = new Set<string>();

/** True for a name of the TZ database that this machine knows. */
export function isZone(name: string): boolean {
  if (goodZones.has(name.toLowerCase())) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    goodZones.add(name.toLowerCase());
    return true;
  } catch {
    return false;
  }
}

export const zone = z.preprocess(
  last,
  z.string().refine(isZone, 'must be a name of the TZ database like Europe/Warsaw').optional(),
);

const whole = (what: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number (${what})`)
    .transform(Number);

export const id = (what: string) => z.preprocess(last, whole(what).optional());
export const ids = (what: string) => z.preprocess(listed, z.array(whole(what)));
export const text = z.preprocess(last, z.string().optional());
export const texts = z.preprocess(listed, z.array(z.string()));
export const flag = z.preprocess(last, z.enum(['0', '1'], 'must be 0 or 1').optional());
export const choice = <const T extends readonly [string, ...string[]]>(options: T) =>
  z.preprocess(last, z.enum(options, `must be one of ${options.join(', ')}`).optional());

/** Every GET takes a JSONP function name. */
export const callbackName = /^[A-Za-z_$][\w$.]{0,63}$/;

/** The sentences of a failed parse, each with the argument's name. */
export function complaints(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join('.') || 'request'}: ${issue.message}`);
}
