// What the API says of digests, as the pages read and write it.

export interface Reader {
  name: string;
  address?: string;
  timezone?: string;
  language?: string;
  groups?: number[];
}

export type Channel =
  { kind: 'folder' } | { kind: 'mail' } | { kind: 'webhook'; url: string } | { kind: 'slack'; url: string };

export interface Digest {
  id: string;
  title: string;
  owner?: string;
  account?: string;
  content: string[];
  period: string;
  schedule: { cron: string; timezone: string };
  language: string;
  paper: string;
  filters: { group: number[]; agent: string[]; tag: string[] };
  readers: Reader[];
  formats: string[];
  channels: Channel[];
  when_incomplete: string;
  most_hours_old: number;
  is_paused: boolean;
}

export interface Send {
  period: string;
  reader: string;
  channel: string;
  state: string;
  due_at: string;
  is_late: boolean;
  snapshot: string | null;
  sent_at: string | null;
  attempts: number;
  reason: string | null;
}

export interface Listed extends Digest {
  next_at: string | null;
  last: Send | null;
}

/** What is sent when a digest is saved: what the API adds to it is left out. */
export function savedForm({ next_at: _next, last: _last, ...digest }: Digest & Partial<Listed>): Digest {
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
  filters: { group: [], agent: [], tag: [] },
  readers: [{ name: '' }],
  formats: ['pdf'],
  channels: [{ kind: 'folder' }],
  when_incomplete: 'hold',
  most_hours_old: 24,
  is_paused: false,
});

/** Sends a change; the sentences that say what is wrong, or nothing. */
export async function change(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<string[]> {
  try {
    const response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (response.ok) return [];
    const told = (await response.json()) as { error?: { message?: string; choices?: string[] } };
    const { message = String(response.status), choices = [] } = told.error ?? {};
    return choices.length > 0 && message === choices.join('; ') ? choices : [message];
  } catch {
    return ['The server cannot be reached. Nothing was changed.'];
  }
}
