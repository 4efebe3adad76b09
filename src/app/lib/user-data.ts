// Reads and writes what readers keep: views with names, and notes on days.
import { errorOf } from './api.ts';
import { words } from './words.ts';

export interface View {
  id: string;
  name: string;
  address: string;
}

/** A note on a local day of the account. */
export interface Note {
  id: string;
  day: string;
  text: string;
}

/** Sends it, and gives what the server says; throws a sentence for people where it refuses. */
async function sent<Shape>(method: string, path: string, body?: unknown): Promise<Shape> {
  const given =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(path, { method, ...given }).catch(() => {
    throw new Error(words.panel.unreachable);
  });
  const text = await response.text();
  const answer: unknown = text ? JSON.parse(text) : null;
  if (!response.ok) throw new Error(errorOf(answer)?.message ?? words.panel.badAnswer(response.status));
  return answer as Shape;
}

export const listViews = async (): Promise<View[]> => (await sent<{ views: View[] }>('GET', '/api/views')).views;

/** Without an id a new one. */
export const saveView = (view: Omit<View, 'id'> & { id?: string }): Promise<View> => sent('PUT', '/api/views', view);

export const removeView = (id: string): Promise<null> => sent('DELETE', `/api/views/${encodeURIComponent(id)}`);

const notes = '/api/annotations';

export const saveNote = (note: Omit<Note, 'id'> & { id?: string; account: string }): Promise<Note> =>
  sent('PUT', notes, note);

export const removeNote = (account: string, id: string): Promise<null> =>
  sent('DELETE', `${notes}/${encodeURIComponent(id)}?${new URLSearchParams({ account })}`);

/** The notes of an account; none when they cannot be read: a page is not held up by them. */
export async function readNotes(fetch: typeof globalThis.fetch, account: string): Promise<Note[]> {
  try {
    const response = await fetch(`${notes}?${new URLSearchParams({ account })}`);
    return response.ok ? ((await response.json()) as { annotations: Note[] }).annotations : [];
  } catch {
    return [];
  }
}
