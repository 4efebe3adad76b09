// Texts of "Why?": a number against earlier ones, the certainty of the difference, and its decomposition.
import type { Sureness } from '../chance.ts';

export const whyWords = {
  of: (value: string, n: string, things: string) => `${value} of ${n} ${things}`.trimEnd(),
  timeOf: (value: string, n: string, things: string) => `${value} (${`${n} ${things}`.trimEnd()})`,
  against: (now: string, before: string, time: string) => `${now} against ${before} ${time}`,
  onAverage: (value: string) => `${value} on average`,
  averageOf: (days: string) => `${days} on average`,
  sure: (sentence: string, how: Sureness | 'few' | undefined) =>
    how ? `${sentence}: ${sureness[how]}.` : `${sentence}.`,
} as const;

const sureness: Record<Sureness | 'few', string> = {
  clear: 'more than chance',
  edge: 'at the edge of chance',
  unclear: 'no clear change',
  few: 'too few to tell',
};
