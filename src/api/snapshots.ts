// The kept snapshots: which there are, and the newest as a file.
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { assertSeesAll, readerOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';

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

export function addSnapshots(app: OpenAPIHono, deps: ApiDeps): void {
  app.openapi(listRoute, async (c) => {
    const current = deps.published()?.id;
    const kept = [...(await deps.snapshots.list())].reverse();
    const snapshots = kept.map(({ id, published_at, bytes, pinned }) => ({
      ...{ id, published_at, bytes, pinned, is_current: id === current },
    }));
    c.header('cache-control', 'no-store');
    return c.json(
      { snapshots, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0), space: deps.snapshots.space },
      200,
    );
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
    assertSeesAll(readerOf(deps, c), 'the whole file');
    const { id, engine, handle } = snapshotOf(deps);
    const etag = `"${id}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    const file = handle ?? (await open(engine.file, 'r'));
    const { size } = await file.stat();
    c.header('content-type', 'application/octet-stream');
    c.header('content-length', String(size));
    c.header('content-disposition', `attachment; filename="chatledger-${basename(engine.file)}"`);
    const close = async (): Promise<void> => (handle ? undefined : file.close());
    if (c.req.raw.method === 'HEAD') {
      await close();
      return c.body(null);
    }
    return c.body(bytesOf(file, size, close));
  });
}

const piece = 256 * 1024;

/**
 * Read by the handle of the open snapshot, so that it can be taken away also when its name is gone. TRICKY: a read stream of
 * Node's closes the handle when one of its readers hangs up, and others read by the same one.
 */
function bytesOf(file: FileHandle, size: number, close: () => Promise<void>): ReadableStream<Uint8Array> {
  let position = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { buffer, bytesRead } = await file.read(new Uint8Array(piece), 0, piece, position);
          if (bytesRead === 0) throw new Error(`the file ended after ${position} of ${size} bytes`);
          position += bytesRead;
          controller.enqueue(buffer.subarray(0, bytesRead));
          if (position < size) return;
          controller.close();
          await close();
        } catch (error) {
          controller.error(error);
          await close();
        }
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  );
}
