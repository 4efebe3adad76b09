// Loads and saves the reader's data: views, menu entries, notes on days, targets. Throws readable sentences.
import type { Board } from '#api/contract/boards.ts';
import type { Bodies } from '#api/contract/contract.ts';
import type { Target } from '#api/contract/targets.ts';
import type { Annotation, Pin, View } from '#api/contract/user-data.ts';
import { call, read } from './api.ts';
import { words } from './words.ts';

export const listViews = async (): Promise<View[]> => (await read(fetch, 'GET /views')).views;

/** Without an id a new one. */
export const saveView = (body: Bodies['PUT /views']): Promise<View> => read(fetch, 'PUT /views', { body });

export const removeView = (id: string): Promise<null> => read(fetch, 'DELETE /views/{id}', { params: { id } });

export const saveNote = (body: Bodies['PUT /annotations']): Promise<Annotation> =>
  read(fetch, 'PUT /annotations', { body });

export const removeNote = (account: string, id: string): Promise<null> =>
  read(fetch, 'DELETE /annotations/{id}', { params: { id }, query: { account } });

/** The notes of an account; none when they cannot be read: a page is not held up by them. */
export async function readNotes(fetch: typeof globalThis.fetch, account: string): Promise<Annotation[]> {
  const found = await call(fetch, 'GET /annotations', { query: { account } });
  return found.kind === 'answered' ? found.answer.annotations : [];
}

/** The targets of an account; a page does not wait for them, and says so if they cannot be loaded. */
export async function readTargets(
  fetch: typeof globalThis.fetch,
  account: string,
): Promise<{ targets: Target[]; targetsProblem?: string }> {
  const found = await call(fetch, 'GET /targets', { query: { account } });
  return found.kind === 'answered'
    ? { targets: found.answer.targets }
    : { targets: [], targetsProblem: words.problems.targets(found.message) };
}

/** The menu entries; empty if they cannot be loaded. */
export async function readPins(fetch: typeof globalThis.fetch): Promise<Pin[]> {
  const found = await call(fetch, 'GET /pins');
  return found.kind === 'answered' ? found.answer.pins : [];
}

/** The boards that the user may see; empty if they cannot be loaded. */
export async function readBoards(fetch: typeof globalThis.fetch): Promise<Board[]> {
  const found = await call(fetch, 'GET /boards');
  return found.kind === 'answered' ? found.answer.boards : [];
}
