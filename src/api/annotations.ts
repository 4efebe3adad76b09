// Notes on days of an account, shown as flags on every chart over time.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Reader } from '#warehouse/reader.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { TooMany, type Annotation as Note } from './user-data.ts';
import { accountOf, readerOf } from './context.ts';
import { problem } from './metrics.ts';
import { bodyOf, line, queryOf } from './written.ts';

const Annotation = z
  .object({
    id: z.string(),
    account: z.string(),
    day: z.iso.date().openapi({ description: "Local day in the account's zone" }),
    text: z.string(),
    user: z.string(),
    created_at: z.iso.datetime(),
  })
  .openapi('Annotation');

const Saving = z.strictObject({
  id: z.string().max(64).optional().openapi({ description: 'Of the note to be changed; without it a new one' }),
  account: z.string().optional(),
  day: z.iso.date().refine((day) => day >= '2000-01-01', { error: 'must be a day from 2000 on' }),
  text: line(200),
});

const Listing = z.object({
  account: z.string().optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});

const path = '/annotations';

export function addAnnotations(app: OpenAPIHono, deps: ApiDeps): void {
  const { annotations } = deps.userData;
  app.openAPIRegistry.registerPath({
    method: 'get',
    path,
    summary: 'Notes on the days of an account',
    request: { query: Listing },
    responses: {
      200: {
        description: 'By day',
        content: { 'application/json': { schema: z.object({ annotations: z.array(Annotation) }) } },
      },
      400: problem('There is no such account or day'),
    },
  });
  app.get(path, (c) => {
    const { account, from, to } = queryOf(c, Listing);
    c.header('cache-control', 'no-store');
    return c.json({ annotations: annotations.list(accountOf(deps, readerOf(deps, c), account).id, from, to) });
  });

  app.openAPIRegistry.registerPath({
    method: 'put',
    path,
    summary: 'Writes a note, or changes the one with its id',
    request: { body: { content: { 'application/json': { schema: Saving } } } },
    responses: {
      200: { description: 'As it is kept', content: { 'application/json': { schema: Annotation } } },
      400: problem('The account, the day or the text is none'),
      404: problem('There is no note with the id'),
      409: problem('There are too many'),
    },
  });
  const written = ({ id }: Reader, note: Parameters<typeof annotations.save>[1]): Note | undefined => {
    try {
      return annotations.save(id, note);
    } catch (error) {
      if (error instanceof TooMany) throw new Declined('conflict', error.message);
      throw error;
    }
  };
  app.put(path, async (c) => {
    const { account, ...note } = await bodyOf(c, Saving);
    const reader = readerOf(deps, c);
    const saved = written(reader, { ...note, account: accountOf(deps, reader, account).id });
    if (!saved) throw new Declined('not_found', `there is no note ${note.id ?? ''}`);
    return c.json(saved);
  });

  app.openAPIRegistry.registerPath({
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Removes a note',
    request: { params: z.object({ id: z.string() }), query: z.object({ account: z.string().optional() }) },
    responses: { 204: { description: 'It is gone' }, 404: problem('There is no note with the id') },
  });
  app.delete(`${path}/:id`, (c) => {
    const id = c.req.param('id');
    if (!annotations.remove(accountOf(deps, readerOf(deps, c), c.req.query('account')).id, id))
      throw new Declined('not_found', `there is no note ${id}`);
    return c.body(null, 204);
  });
}
