// What stands in the reader's menu, once it was changed on this page; before that it is what the page came with.
import type { Pin, PinKind } from '#api/contract/user-data.ts';
import { call } from '#lib/api.ts';

class Pinned {
  /** TRICKY: only ever set in a browser: on the server it would be everybody's. */
  changed = $state.raw<Pin[]>();

  /** After a view or board was made, renamed or removed. */
  async read(): Promise<void> {
    const found = await call(fetch, 'GET /pins');
    if (found.kind === 'answered') this.changed = found.answer.pins;
  }

  /** What is wrong, or nothing. */
  async put(kind: PinKind, id: string, is_pinned: boolean): Promise<string | undefined> {
    const found = await call(fetch, 'PUT /pins', { body: { kind, id, is_pinned } });
    if (found.kind !== 'answered') return found.message;
    this.changed = found.answer.pins;
    return undefined;
  }
}

export const pinned = new Pinned();
