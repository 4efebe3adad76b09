// The reader's menu entries after a change on this page; before that, those that the page was loaded with.
import type { Pin, PinKind } from '#api/contract/user-data.ts';
import { call } from '#lib/api.ts';

class Pinned {
  /** TRICKY: only ever set in a browser: on the server it would be everybody's. */
  changed = $state.raw<Pin[]>();

  /** Reloads after a view or board was created, renamed or removed. */
  async read(): Promise<void> {
    const found = await call(fetch, 'GET /pins');
    if (found.kind === 'answered') this.changed = found.answer.pins;
  }

  /** Returns the error, or undefined. */
  async put(kind: PinKind, id: string, is_pinned: boolean): Promise<string | undefined> {
    const found = await call(fetch, 'PUT /pins', { body: { kind, id, is_pinned } });
    if (found.kind !== 'answered') return found.message;
    this.changed = found.answer.pins;
    return undefined;
  }
}

export const pinned = new Pinned();
