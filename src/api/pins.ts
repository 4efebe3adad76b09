// A user's pinned menu entries: saved views and boards.
import type { Hono } from 'hono';
import { boardOf } from './boards.ts';
import { readerOf } from './context.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import { listPins, savePin } from './contract/user-data.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { TooMany } from './user-data.ts';
import { bodyOf } from './validation.ts';

export function addPins(app: Hono, deps: ApiDeps): void {
  const { pins, views } = deps.userData;
  app.get(listPins.path, (c) => {
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listPins>>({ pins: pins.list(readerOf(c).id) });
  });

  app.put(savePin.path, async (c) => {
    const { kind, id, is_pinned } = await bodyOf(c, savePin.body);
    const user = readerOf(c).id;
    if (!is_pinned) pins.remove(user, kind, id);
    else {
      if (kind === 'board') boardOf(deps, c, id);
      else if (!views.list(user).some((view) => view.id === id))
        throw new Declined('not_found', `there is no view ${id}`);
      try {
        pins.add(user, kind, id);
      } catch (error) {
        if (error instanceof TooMany) throw new Declined('conflict', error.message);
        throw error;
      }
    }
    return c.json<AnswerOf<typeof savePin>>({ pins: pins.list(user) });
  });
}
