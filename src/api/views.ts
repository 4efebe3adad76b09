// Saved views: named pages with their filters, stored per reader.
import type { Hono } from 'hono';
import type { ApiDeps } from './deps.ts';
import { readerOf } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { listViews, removeView, saveView, type View } from './contract/user-data.ts';
import { Declined } from './errors.ts';
import { NameTaken, pinWhereRoom, TooMany } from './user-data.ts';
import { bodyOf } from './validation.ts';

export function addViews(app: Hono, deps: ApiDeps): void {
  const { views, pins } = deps.userData;
  app.get(listViews.path, (c) => {
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listViews>>({ views: views.list(readerOf(c).id) });
  });

  app.put(saveView.path, async (c) => {
    const asked = await bodyOf(c, saveView.body);
    try {
      const saved = views.save(readerOf(c).id, asked);
      if (saved && asked.id === undefined) pinWhereRoom(pins, readerOf(c).id, 'view', saved.id);
      if (!saved) throw new Declined('not_found', `there is no view ${asked.id ?? ''}`);
      return c.json<View>(saved);
    } catch (error) {
      if (error instanceof NameTaken) throw new Declined('conflict', `a view is called ${asked.name} already`);
      if (error instanceof TooMany) throw new Declined('conflict', error.message);
      throw error;
    }
  });

  app.delete(routed(removeView), (c) => {
    const id = c.req.param('id');
    if (!views.remove(readerOf(c).id, id)) throw new Declined('not_found', `there is no view ${id}`);
    return c.body(null, 204);
  });
}
