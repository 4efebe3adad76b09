// A plan of chaos: which faults how often, scripted ones, and how long silence and slowness last. Checked before anything starts.
import { z } from 'zod';
import { aims, faultNames, type Aim, type FaultName } from './faults.ts';
import { readInline } from './inline.ts';

/** One fault at certain requests: of those that match the path and the fault, the `nth` (from 1) and the `times - 1` after it. */
export interface Scripted {
  fault: FaultName;
  /** `*` matches any text; compared with the path, or with path and query if it contains a `?`. */
  path: string;
  nth: number;
  times: number;
}

export interface ChaosPlan {
  seed: number;
  /** Share of the requests that are hit, 0 to 1; together at most 1. */
  rates: Partial<Record<Aim, number>>;
  /** Faults that hit every attempt of a question; otherwise the next attempt is spared. */
  sticky: boolean | FaultName[];
  /** Rates hold for these paths only. */
  path: string;
  script: Scripted[];
  hold_seconds: number;
  slow_seconds: number;
  /** Value of `Retry-After`. */
  retry_after_seconds: number;
}

/** The plan is invalid; the message says where and lists the choices. */
export class BadPlan extends Error {
  override readonly name = 'BadPlan';
}

const seeMore = "'chatledger service --chaos help' says what each does";
const oneOf = (what: string, choices: readonly string[]) =>
  z.string().refine((name) => choices.includes(name), {
    error: ({ input }) => `'${String(input)}' is no ${what}; choose from ${choices.join(', ')} (${seeMore})`,
  });
const fault = oneOf('fault', faultNames) as unknown as z.ZodType<FaultName>;
const number = (least: number, most: number) => {
  const words = `must be a number from ${least} to ${most}`;
  return z.number(words).min(least, words).max(most, words);
};
const seconds = number(0, 3600);
const whole = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z.int(words).min(least, words).max(most, words);
};
const pattern = z.string().regex(/^[/*][^#]*$/, 'must be a path like /chats or /reports/*');

const scripted = z.strictObject({
  fault,
  path: pattern.default('*'),
  nth: whole(1, 1e9).default(1),
  times: whole(1, 1e9).default(1),
});
const shape = z.strictObject({
  seed: whole(0, 2_147_483_647).default(1),
  rates: z
    .record(oneOf('fault or group of faults', aims), number(0, 1))
    .refine(
      (rates) => Object.values(rates).reduce((sum, rate) => sum + rate, 0) <= 1 + 1e-9,
      'must not add up to more than 1',
    )
    .default({}),
  sticky: z.union([z.boolean(), z.array(fault)], 'must be true, false or a list of names of faults').default(false),
  path: pattern.default('*'),
  script: z.array(scripted).default([]),
  /** Longer than the 15 s that a client waits. */
  hold_seconds: seconds.default(20),
  slow_seconds: seconds.default(2),
  retry_after_seconds: whole(0, 3600).default(1),
});

/**
 * The plan described by an object or a line of text, for example `seed=7,reset=0.05,500=0.1,html@/chats*#3x2`. @throws BadPlan with one
 * line per mistake.
 */
export function chaosPlan(given: unknown): ChaosPlan {
  const { raw, repeated } = typeof given === 'string' ? readInline(given) : { raw: given, repeated: [] };
  const parsed = shape.safeParse(raw);
  if (repeated.length > 0) throw new BadPlan(`${repeated.join(', ')}: is said more than once`);
  if (parsed.success) return parsed.data as ChaosPlan;
  throw new BadPlan(parsed.error.issues.flatMap(sentences).join('\n'));
}

/** TRICKY: errors about the key of a record are nested one level deeper. */
function sentences(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_key') return issue.issues.flatMap((inner) => sentences({ ...inner, path: [] } as never));
  if (issue.code === 'unrecognized_keys') {
    const choices = issue.path.length > 0 ? Object.keys(scripted.shape) : Object.keys(shape.shape);
    return issue.keys.map((key) => `'${key}' is no part of a plan; choose from ${choices.join(', ')}`);
  }
  return [`${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`];
}
