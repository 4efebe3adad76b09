// A hostile source in a process of its own: `node serving.ts MODE FOLDER SECOND`; says its address and a token, and ends with its parent.
import '../../../src/server/without-proto.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readInline } from '#service/chaos/inline.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import { startService } from '#service/service.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { dateOf, dayOf } from '#service/zone.ts';
import { accountOf } from './account.ts';
import { modes, send, textsOf, type Answer } from './modes.ts';

const DAYS = 4;
const [name = '', folder = '', second = ''] = process.argv.slice(2);
const mode = modes[name];
if (!mode) throw new Error(`no mode ${name}; choose from ${Object.keys(modes).join(', ')}`);
const now = Number(second);
const { staff, records, chats } = accountOf(textsOf(mode), now);
const nothing = { chats: [], departures: [], displays: [], statuses: [], tickets: [] };
const file = join(folder, 'service.sqlite');
const service = await startService({
  ...{ file, days: DAYS, port: 0, apiKey: 'secret', zone: 'UTC', clock: () => now },
  ...(mode.chaos ? { chaos: chaosPlan(readInline(mode.chaos).raw) } : {}),
  world: ({ firstDay }) => ({
    staff,
    day: (index) => ({
      records: { ...nothing, ...(index === 0 ? records : {}), date: dateOf(dayOf(firstDay) + index) },
      carry: index,
    }),
  }),
});
const store = openStore(file);
const token = mintToken(store, { agent: 'owner@example.com', scopes: 'all' });
store.close();

async function honest({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const { authorization = '', 'content-type': type = '', 'x-api-version': version } = headers;
  const answer = await fetch(service.url + url, {
    ...{ method, redirect: 'manual' as const },
    headers: {
      authorization,
      ...(type ? { 'content-type': type } : {}),
      ...(version ? { 'x-api-version': String(version) } : {}),
    },
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  const given = Object.fromEntries(
    [...answer.headers].filter(
      ([header]) => !/^(content-(length|encoding)|transfer-encoding|connection|keep-alive)$/.test(header),
    ),
  );
  return { status: answer.status, headers: given, body: Buffer.from(await answer.arrayBuffer()) };
}

let asked = 0;
const server = createServer((request, wire) => {
  wire.on('error', () => undefined);
  void (async () => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://source');
    const question = {
      path: pathname,
      search: searchParams,
      number: asked++,
      honest: () => honest(request, Buffer.concat(parts)),
    };
    await (mode.play ? mode.play(question, wire) : question.honest().then((answer) => send(answer, wire)));
  })().catch(() => wire.destroy());
});
// Chaos breaks connections itself: whoever asks must feel it.
const url = mode.chaos ? service.url : await listening();
async function listening(): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
process.once('disconnect', () => process.exit());
process.send?.({ url, token, chats, since: service.firstDay });
