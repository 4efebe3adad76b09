// Digests as forms have them, and changing them.
import type { Digest, ShownDigest } from '#api/contract/digests.ts';
import { call, type Call, type Given } from '#lib/api.ts';

/** What is sent when a digest is saved: what the API adds to it is left out. */
export function savedForm({
  next_at: _next,
  schedule_problem: _problem,
  last: _last,
  ...digest
}: Digest & Partial<ShownDigest>): Digest {
  return digest;
}

/** A new one with what most digests have. */
export const blankDigest = (timezone: string): Digest => ({
  id: '',
  title: '',
  content: ['overview'],
  period: 'last_week',
  schedule: { cron: '0 7 * * 1', timezone },
  language: 'en-GB',
  paper: 'a4',
  length: 'short',
  filters: { group: [], agent: [], tag: [], variable: [] },
  readers: [{ name: '' }],
  formats: ['pdf', 'xlsx'],
  channels: [{ kind: 'folder' }],
  when_incomplete: 'hold',
  most_hours_old: 24,
  is_paused: false,
});

/** A short name made of a title: what a short name cannot hold is left out. */
export const shortNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '');

/** Makes a change; the sentences that say what is wrong, or nothing. */
export async function change<Name extends Call>(name: Name, given: Given<Name>): Promise<string[]> {
  const outcome = await call(fetch, name, given);
  return outcome.kind === 'answered' ? [] : problemsOf(outcome);
}

/** Each problem of a refused form stands alone among the choices. */
export function problemsOf(outcome: { message: string; choices?: string[] }): string[] {
  const { message, choices = [] } = outcome;
  return choices.length > 0 && message === choices.join('; ') ? choices : [message];
}
