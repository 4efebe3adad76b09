// Saved views: a name for a page with its filters, kept for each reader.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { ApiDeps } from './deps.ts';
import { readerOf } from './context.ts';
import { Declined } from './errors.ts';
import { NameTaken, TooMany } from './user-data.ts';
import { problem } from './metrics.ts';
import { bodyOf, line } from './written.ts';

const View = z
  .object({ id: z.string(), name: z.string(), address: z.string(), created_at: z.iso.datetime() })
  .openapi('View');

const Saving = z.strictObject({
  id: z.string().max(64).optional().openapi({ description: 'Of the view to be changed; without it a new one' }),
  name: line(80),
  address: line(4000).regex(/^\/(?![/\\])/, { error: 'must be a path of this server such as /queue?preset=7d' }),
});

const path = '/views';

export function addViews(app: OpenAPIHono, deps: ApiDeps): void {
  const { views } = deps.userData;
  app.openAPIRegistry.registerPath({
    method: 'get',
    path,
    summary: 'Your saved views',
    responses: {
      200: {
        description: 'By name',
        content: { 'application/json': { schema: z.object({ views: z.array(View) }) } },
      },
    },
  });
  app.get(path, (c) => {
    c.header('cache-control', 'no-store');
    return c.json({ views: views.list(readerOf(deps, c).id) });
  });

  app.openAPIRegistry.registerPath({
    method: 'put',
    path,
    summary: 'Saves a view, or changes the one with its id',
    request: { body: { content: { 'application/json': { schema: Saving } } } },
    responses: {
      200: { description: 'As it is kept', content: { 'application/json': { schema: View } } },
      400: problem('The name or the address is none'),
      404: problem('There is no view with the id'),
      409: problem('Another view has the name, or there are too many'),
    },
  });
  app.put(path, async (c) => {
    const asked = await bodyOf(c, Saving);
    try {
      const saved = views.save(readerOf(deps, c).id, asked);
      if (!saved) throw new Declined('not_found', `there is no view ${asked.id ?? ''}`);
      return c.json(saved);
    } catch (error) {
      if (error instanceof NameTaken) throw new Declined('conflict', `a view is called ${asked.name} already`);
      if (error instanceof TooMany) throw new Declined('conflict', error.message);
      throw error;
    }
  });

  app.openAPIRegistry.registerPath({
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Removes a view',
    request: { params: z.object({ id: z.string() }) },
    responses: { 204: { description: 'It is gone' }, 404: problem('There is no view with the id') },
  });
  app.delete(`${path}/:id`, (c) => {
    const id = c.req.param('id');
    if (!views.remove(readerOf(deps, c).id, id)) throw new Declined('not_found', `there is no view ${id}`);
    return c.body(null, 204);
  });
}
