// The kept snapshots: which there are, and the newest as a file.
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { snapshotOf } from './answers.ts';
import type { Door } from './door.ts';

const List = z
  .object({
    snapshots: z.array(
      z.object({
        id: z.string(),
        published_at: z.iso.datetime(),
        bytes: z.int(),
        pinned: z.string().nullable().openapi({ description: 'Why it stays whatever its age; null when it does not' }),
        is_current: z.boolean(),
      }),
    ),
    bytes: z.int().openapi({ description: 'What they take together' }),
    space: z.int().openapi({ description: 'What they may take: CHATLEDGER_SNAPSHOT_SPACE' }),
  })
  .openapi('Snapshots');

const listRoute = createRoute({
  method: 'get',
  path: '/snapshots',
  summary: 'Every kept snapshot with its size, newest first: what as_of can be answered from',
  responses: { 200: { description: 'The snapshots', content: { 'application/json': { schema: List } } } },
});

export function addSnapshots(app: OpenAPIHono, door: Door): void {
  app.openapi(listRoute, async (c) => {
    const current = door.snapshot()?.id;
    const kept = [...(await door.shelf.list())].reverse();
    const snapshots = kept.map(({ id, published_at, bytes, pinned }) => ({
      ...{ id, published_at, bytes, pinned, is_current: id === current },
    }));
    c.header('cache-control', 'no-store');
    return c.json({ snapshots, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0), space: door.shelf.space }, 200);
  });

  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/snapshots/current/file',
    summary: 'The newest snapshot as a file that any client of its engine opens',
    responses: {
      200: { description: 'The file', content: { 'application/octet-stream': { schema: z.string() } } },
      304: { description: 'What you have is still the newest' },
    },
  });
  app.get('/snapshots/current/file', async (c) => {
    const { id, engine } = snapshotOf(door);
    const etag = `"${id}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    const file = await open(engine.file, 'r');
    c.header('content-type', 'application/octet-stream');
    c.header('content-length', String((await file.stat()).size));
    c.header('content-disposition', `attachment; filename="chatledger-${basename(engine.file)}"`);
    if (c.req.raw.method === 'HEAD') {
      await file.close();
      return c.body(null);
    }
    return c.body(Readable.toWeb(file.createReadStream()) as ReadableStream);
  });
}
