// How an action of the v3 Web APIs is declared: who may call it, what it takes, what it answers and which webhooks it causes.
import { z } from 'zod';

export interface ActionV3<Args extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> {
  /** A token needs one of them; empty admits everybody who is signed in. */
  scopes: readonly string[];
  args: Args;
  answer: Answer;
  /** Arguments come as a query string; POST is accepted too. Without it POST alone is. */
  is_get?: true;
  /** The body is multipart/form-data. */
  is_upload?: true;
  /** Names of the webhooks that a call can cause. */
  webhooks: readonly string[];
}

/** Declares an action; keeps the types of its arguments and its answer. */
export function action<Args extends z.ZodType, Answer extends z.ZodType>(
  scopes: readonly string[],
  args: Args,
  answer: Answer,
  more: Partial<Pick<ActionV3, 'is_get' | 'is_upload' | 'webhooks'>> = {},
): ActionV3<Args, Answer> {
  return { scopes, args, answer, webhooks: [], ...more };
}

/** What an action answers that has nothing to say: clients decode every body with status 200 as JSON. */
export const emptyAnswer = z.strictObject({});

const longestName = 255;
export const name = z
  .string()
  .min(1, 'must not be empty')
  .max(longestName, `must have at most ${longestName} characters`);
export const groupId = z.int('must be a whole number').nonnegative();
/** Whole number from 1 to the limit. */
export const upTo = (most: number) =>
  z.int('must be a whole number').min(1, `must be from 1 to ${most}`).max(most, `must be from 1 to ${most}`);
export const sortOrder = z.enum(['asc', 'desc'], 'must be asc or desc');
/** Holds the filters of the first page, which are bounded by the size of a body. */
export const pageId = z.string().max(1_000_000, 'must have at most 1000000 characters');

/** The arguments of the first page cannot be sent with `page_id`; the page remembers them. */
export const isFirstPageOnly =
  (...first: readonly string[]) =>
  (args: Record<string, unknown>): boolean =>
    args.page_id === undefined || !first.some((argument) => args[argument] !== undefined);
export const pageAlone = (...first: readonly string[]) => ({
  path: ['page_id'],
  error: `cannot be sent together with ${first.join(', ')}`,
});
