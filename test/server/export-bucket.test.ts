// Exported to a bucket of a store that is not ours: the same files as in a folder, written once, and refusals in sentences.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '#service/service.ts';
import { testInDrill } from '../chance.ts';
import { parseManifest, type Manifest } from '../../src/server/export/manifest.ts';
import { filledFolder, type Filled } from './filled.ts';
import { begin, copiedFolder, newFolder, runToEnd, until, type Ended } from './program.ts';

let service: Service;
let settings: Filled['settings'];
/** Pulled, and never changed. */
let filled: string;
let store: InstanceType<typeof S3rver>;
let client: S3Client;
let endpoint: string;
/** Where the store has its objects. */
let stored: string;
const objectOf = (key: string): string => join(stored, Bucket, `${key}._S3rver_object`);
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const Bucket = 'lake';

beforeAll(async () => {
  const pulled = await filledFolder();
  ({ service, settings } = pulled);
  // A command opens the files of its folder, while other tests copy the one that all share.
  filled = copiedFolder(pulled.folder);
  store = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: (stored = newFolder()) },
    configureBuckets: [{ name: Bucket, configs: [] }],
  });
  const { port } = await store.run();
  endpoint = `http://127.0.0.1:${port}`;
  client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
});
afterAll(async () => {
  client.destroy();
  await store.close();
  await service.close();
});

const environment = (): Record<string, string> => ({
  ...settings(),
  ...{ AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
  // No file of whoever runs the tests is read.
  ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null', AWS_EC2_METADATA_DISABLED: 'true' },
});
const exportTo = (to: string, words: readonly string[] = [], own: Record<string, string> = {}): Promise<Ended> =>
  runToEnd(['export', to, ...words], { ...environment(), ...own }, filled);

async function keysIn(prefix: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
  return Contents.map(({ Key = '' }) => Key);
}

async function bytesOf(key: string): Promise<Uint8Array> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}

const manifestIn = async (prefix: string): Promise<Manifest> =>
  parseManifest(Buffer.from(await bytesOf(`${prefix}manifest.json`)).toString(), prefix);

const few = ['--tables', 'facts.chats,metrics.total_chats'];

test('a bucket gets the files of a folder, whole, and a second time only what is missing', async () => {
  const to = join(newFolder(), 'files');
  expect(await exportTo(to)).toMatchObject({ code: 0, complained: '' });
  expect(await exportTo('s3://lake/whole/')).toMatchObject({ code: 0, complained: '' });
  const local = parseManifest(readFileSync(join(to, 'manifest.json'), 'utf8'), to);
  const remote = await manifestIn('whole/');
  const about = ({ files }: Manifest) => files.map(({ path, rows, fingerprint }) => [path, rows, fingerprint]);
  expect(about(remote)).toEqual(about(local));
  expect(remote.files.length).toBeGreaterThan(30);
  for (const { path, bytes, sha256 } of remote.files.filter(({ table }) => /^facts\.(chats|messages)$/.test(table))) {
    const content = await bytesOf(`whole/${path}`);
    expect([path, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([path, bytes, sha256]);
  }
  expect(await keysIn('whole/lock')).toEqual([]);

  const again = async (): Promise<unknown> => JSON.parse((await exportTo('s3://lake/whole', ['--json'])).said);
  expect(await again()).toMatchObject({ folder: 's3://lake/whole', written: 0, unchanged: remote.files.length });
  const lost = remote.files.find(({ table }) => table === 'facts.chats')?.path ?? '';
  await client.send(new DeleteObjectCommand({ Bucket, Key: `whole/${lost}` }));
  expect(await again()).toMatchObject({ written: 1, unchanged: remote.files.length - 1 });
  expect(await keysIn(`whole/${lost}`)).toEqual([`whole/${lost}`]);
});

test('tables that are no longer chosen go, and what somebody else keeps there stays', async () => {
  expect(await exportTo('s3://lake/some', few)).toMatchObject({ code: 0 });
  await client.send(new PutObjectCommand({ Bucket, Key: 'some/facts.chats/notes.txt', Body: 'mine' }));
  expect(await exportTo('s3://lake/some', ['--tables', 'metrics.total_chats'])).toMatchObject({ code: 0 });
  expect(await keysIn('some/facts')).toEqual(['some/facts.chats/notes.txt']);
  expect((await manifestIn('some/')).files.every(({ table }) => table === 'metrics.total_chats')).toBe(true);
});

testInDrill('one that was cut off goes on, and two at once are refused', async () => {
  // All tables: a few are there before anybody has seen the lock.
  const cut = begin(['export', 's3://lake/cut'], environment(), filled);
  let keys: string[] = [];
  await until(
    () => {
      void keysIn('cut/lock').then((found) => (keys = found));
      return keys.length > 0;
    },
    60,
    'the lock',
  );
  cut.child.kill('SIGSTOP');
  const second = await exportTo('s3://lake/cut');
  expect([second.code, second.complained]).toEqual([
    1,
    expect.stringMatching(/s3:\/\/lake\/cut is in use by process \d+ of /),
  ]);
  cut.child.kill('SIGKILL');
  await cut.ended;
  expect(await exportTo('s3://lake/cut')).toMatchObject({ code: 0, complained: '' });
  expect((await manifestIn('cut/')).files.length).toBeGreaterThan(1);
});

test('a lock of another machine counts until nobody has said anything for an hour', async () => {
  const lock = { Bucket, Key: 'left/lock' };
  await client.send(new PutObjectCommand({ ...lock, Body: JSON.stringify({ pid: 1, host: 'replaced-container' }) }));
  await client.send(
    new PutObjectCommand({ Bucket, Key: 'left/manifest.json', Body: await bytesOf('some/manifest.json') }),
  );
  const [fresh, path] = [await exportTo('s3://lake/left', few), objectOf('left/lock')];
  expect([fresh.code, fresh.complained]).toEqual([
    1,
    expect.stringContaining('in use by process 1 of replaced-contain'),
  ]);
  const long_ago = new Date(Date.now() - 61 * 60_000);
  utimesSync(path, long_ago, long_ago);
  expect(await exportTo('s3://lake/left', few)).toMatchObject({ code: 0, complained: '' });
  expect(await keysIn('left/lock')).toEqual([]);
});

test.each<[string, string, Record<string, string>, RegExp]>([
  ['a bucket that is not there', 's3://nobody/chats', {}, /there is no bucket nobody; make it first/],
  ['a store that is not there', 's3://lake/chats', { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' }, /cannot be reached/],
  [
    'no credentials',
    's3://lake/chats',
    { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
    /without credentials: set AWS_ACCESS_KEY_ID/,
  ],
])('refused in a sentence: %s', async (_, to, own, says) => {
  const { code, said, complained } = await exportTo(to, few, own);
  expect([code, said, complained]).toEqual([1, '', expect.stringMatching(says)]);
});

test('a place that holds something else is left as it is', async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: 'theirs/report.csv', Body: 'a,b' }));
  const { code, complained } = await exportTo('s3://lake/theirs', few);
  expect([code, complained]).toEqual([2, expect.stringMatching(/s3:\/\/lake\/theirs holds something else/)]);
  expect(await keysIn('theirs/')).toEqual(['theirs/report.csv']);
});

test.each([
  [403, '', /refuses it with 403 and no reason: look at AWS_ENDPOINT_URL_S3 and at the rights/],
  [
    404,
    '<!doctype html><p>console',
    /refuses it with 404 and no reason: look at AWS_ENDPOINT_URL_S3 and at the rights/,
  ],
  [500, 'bad gateway', /answers with 500 and no reason: run it again later/],
  [503, '<Error><Code>SlowDown</Code></Error>', /answers with 503 SlowDown: run it again later/],
])('an endpoint that answers with %i and %j is told in sentences of this program', async (status, body, says) => {
  const other = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const own = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
    AWS_MAX_ATTEMPTS: '1',
  };
  const { code, complained } = await exportTo('s3://lake/x', few, own);
  other.close();
  expect([code, complained]).toEqual([1, expect.stringMatching(says)]);
});
