// Digests as forms have them, and changing them.
import type { Digest, ShownDigest } from '#api/contract/digests.ts';
import { call, type Call, type Given } from '#lib/api.ts';

/** The request body for saving a digest, without the fields that the API adds. */
export function savedForm({
  version: _version,
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

/** A short name derived from a title; unsupported characters are dropped. */
export const shortNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '');

/** Makes a change; returns the errors as sentences, or undefined. */
export async function change<Name extends Call>(name: Name, given: Given<Name>): Promise<string[]> {
  const outcome = await call(fetch, name, given);
  return outcome.kind === 'answered' ? [] : problemsOf(outcome);
}

/** The choices of a refused form are its individual errors. */
export function problemsOf(outcome: { message: string; choices?: string[] }): string[] {
  const { message, choices = [] } = outcome;
  return choices.length > 0 && message === choices.join('; ') ? choices : [message];
}
