// A bare Hono route that returns a given body: the speed of the fastest comparable server.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

const body = readFileSync(process.argv[2] ?? '', 'utf8');
const app = new Hono().get('/', (context) => context.body(body, 200, { 'content-type': 'application/json' }));
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
