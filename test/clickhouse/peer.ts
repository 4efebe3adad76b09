// A small HTTP face of ClickHouse in a process: statements, parameters, settings, inserts and exceptions as @clickhouse/client speaks them.
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { installedPeer, whyNoPeer } from './installed.ts';
import type { PeerAnswer, PeerStatement } from './peer-process.ts';

/**
 * `silent`: connections are taken, and nothing is said. `slow`: statements take two seconds longer. `page`: the page of a proxy comes, as an
 * error; `words`: as an answer; `nothing`: an answer without a byte. `cut`: an answer ends in its middle, and the next statements are well.
 */
export type Fault = 'silent' | 'slow' | 'page' | 'words' | 'nothing' | 'cut';

export interface Peer {
  /** Of the HTTP face. */
  url: string;
  /** Statements that were run, in order. */
  readonly statements: string[];
  /** Kills the engine in the middle of whatever it does; the next statement starts it again on the same folder. */
  kill(): void;
  /** While it is down nobody gets an answer; what runs is killed. */
  setDown(isDown: boolean): void;
  /** What happens to each request from now on; by default nothing. */
  setFault(fault?: Fault): void;
  close(): Promise<void>;
}

/** Not settings: what the interface itself takes. */
const ofInterface = new Set(['query', 'query_id', 'database', 'session_id', 'default_format', 'compress', 'role']);

const reads = /^\s*(select|with|describe|show|explain|exists|check grant)\b/i;
const inserts = /^\s*insert\s+into\s+(.+?)\s+format\s+(\w+)\s*$/is;

/** A statement that reads has its settings behind its format; the engine would keep those of a `set` for whoever comes next. */
const withSettings = (sql: string, settings: readonly (readonly [string, string])[]): string =>
  settings.length === 0
    ? sql
    : `${sql}\nsettings ${settings.map(([name, value]) => `${name} = '${value.replaceAll("'", "\\'")}'`).join(', ')}`;

class PeerEngine {
  readonly #entry: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(entry: string, folder: string) {
    this.#entry = entry;
    this.#folder = folder;
  }

  /** One at a time. `hasLeft`: the client closed its connection, so that the statement is ended with its process. */
  run(statement: PeerStatement, hasLeft?: AbortSignal): Promise<PeerAnswer> {
    const answer = this.#turn.then(() => this.#runAlone(statement, hasLeft));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async #runAlone(statement: PeerStatement, hasLeft?: AbortSignal): Promise<PeerAnswer> {
    if (hasLeft?.aborted) return { error: 'Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)' };
    const child = (this.#child ??= await this.#started());
    const { promise, resolve } = Promise.withResolvers<PeerAnswer>();
    const leave = (): void => void child.kill('SIGKILL');
    const gone = (): void => {
      this.#child = undefined;
      resolve({ error: 'Code: 210. DB::Exception: The engine has ended. (NETWORK_ERROR)' });
    };
    child.once('message', resolve);
    child.once('exit', gone);
    hasLeft?.addEventListener('abort', leave, { once: true });
    child.send(statement);
    const answer = await promise;
    hasLeft?.removeEventListener('abort', leave);
    child.off('exit', gone);
    child.off('message', resolve);
    return answer;
  }

  async #started(): Promise<ChildProcess> {
    const child = fork(new URL('peer-process.ts', import.meta.url), [this.#entry, this.#folder], {
      serialization: 'advanced',
    });
    child.once('exit', () => (this.#child = undefined));
    await once(child, 'message');
    return child;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async close(): Promise<void> {
    await this.#turn.catch(() => undefined);
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

const formIn = async (body: Buffer, type: string): Promise<[string, string][]> => {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return [...form].map(([name, value]) => [name, String(value)]);
};

/** Parameters are written as values of a file separated by tabs. */
const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, sign: string) => ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' })[sign] ?? sign);

/** What a request asks for. Errors: a name that the interface does not know. */
async function statementOf(request: IncomingMessage, files: string): Promise<PeerStatement & { isCancelled: boolean }> {
  const url = new URL(request.url ?? '/', 'http://peer');
  const sent = await buffer(request);
  const unpacked = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  const isForm = request.headers['content-type']?.startsWith('multipart/form-data') === true;
  const form = isForm ? await formIn(unpacked, request.headers['content-type'] ?? '') : [];
  const body = isForm ? Buffer.alloc(0) : unpacked;
  const params: Record<string, string> = {};
  const settings: [string, string][] = [];
  for (const [name, value] of [...url.searchParams, ...form]) {
    if (name.startsWith('param_')) params[name.slice('param_'.length)] = unescaped(value);
    else if (!ofInterface.has(name)) settings.push([name, value]);
  }
  const inUrl = url.searchParams.get('query');
  const sql = inUrl ?? form.find(([name]) => name === 'query')?.[1] ?? body.toString();
  const isReading = reads.test(sql);
  const isReadOnly = settings.some(([name, value]) => name === 'readonly' && value !== '0');
  if (isReadOnly && !isReading)
    throw new Error('Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)');
  // The server ends a statement whose client has left only if it may read and nothing else.
  const isCancelled = isReadOnly && settings.some(([name, value]) => name.startsWith('cancel_http') && value === '1');
  if (inUrl !== null && body.length > 0) {
    const [, target = '', format = ''] = inserts.exec(inUrl) ?? [];
    if (format === '') throw new Error(`Code: 62. DB::Exception: the peer takes data of an insert only: ${inUrl}`);
    const file = join(files, `${randomUUID()}.rows`);
    writeFileSync(file, body);
    return { sql: `insert into ${target} from infile '${file}' format ${format}`, params, isCancelled };
  }
  const own = settings.filter(
    ([name]) => name !== 'readonly' && !name.startsWith('cancel_http') && !name.startsWith('wait_end'),
  );
  return { sql: isReading ? withSettings(sql, own) : sql, params, isCancelled };
}

const codeIn = (error: string): string => /Code: (\d+)/.exec(error)?.[1] ?? '1000';

/** Starts it on an empty folder, by default on a port of its own; `password`: of its one user. Errors: where it is not installed. */
export async function startPeer(password = '', port = 0): Promise<Peer> {
  const entry = installedPeer();
  if (entry === undefined) throw new Error(whyNoPeer);
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-'));
  const engine = new PeerEngine(entry, join(folder, 'data'));
  const statements: string[] = [];
  let isDown = false;
  let fault: Fault | undefined;
  const expected = `Basic ${Buffer.from(`default:${password}`).toString('base64')}`;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== undefined && request.headers.authorization !== expected)
      throw new Error('Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)');
    const left = new AbortController();
    const { isCancelled, ...statement } = await statementOf(request, folder);
    if (isCancelled) response.once('close', () => response.writableFinished || left.abort());
    statements.push(statement.sql);
    if (fault === 'slow') await setTimeout(2000);
    const answered = await engine.run(statement, left.signal);
    if ('error' in answered) throw new Error(answered.error.replace(/^Query failed: /, ''));
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'x-clickhouse-summary': '{}' });
    if (fault !== 'cut' || answered.bytes.length < 1_000_000) return void response.end(answered.bytes);
    fault = undefined;
    response.write(answered.bytes.subarray(0, answered.bytes.length / 2), () => response.socket?.destroy());
  };
  const server = createServer((request, response) => {
    if (isDown) return void request.socket.destroy();
    if (fault === 'silent') return;
    if (fault === 'page') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (fault === 'words') return void response.end('it works\n');
    if (fault === 'nothing') return void response.end();
    if (request.url === '/ping') return void response.end('Ok.\n');
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { 'x-clickhouse-exception-code': codeIn(message) });
      response.end(message);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    statements,
    kill: () => engine.kill(),
    setDown(now) {
      isDown = now;
      if (now) engine.kill();
    },
    setFault: (next) => (fault = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
