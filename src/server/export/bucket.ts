// A bucket of an S3-compatible store that takes exported files. Credentials, region and endpoint come from the environment and the files that
// the tools of AWS read: AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_S3 and so on.
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { certificateProblem } from '#network/certificate.ts';
import { storeOfEnvironment } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { holderIn, isHeld, lockText, said_ms } from '../folder-lock.ts';
import { manifestFile } from './manifest.ts';
import type { ExportTarget } from './target.ts';

const address = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[^?#]*))?$/;

export const isBucket = (to: string): boolean => to.startsWith('s3://');

/** @throws Stopped if the address is wrong. */
function placeOf(to: string): { Bucket: string; prefix: string } {
  const { bucket, prefix = '' } = address.exec(to)?.groups ?? {};
  const segments = prefix.replace(/\/$/, '').split('/');
  const isOdd = segments.some(
    (segment) => segment === '.' || segment === '..' || (segment === '' && segments.length > 1),
  );
  if (bucket === undefined || isOdd)
    throw new Stopped(
      `${to} names no place in a bucket: write s3://BUCKET or s3://BUCKET/PREFIX, such as s3://lake/chats`,
    );
  return { Bucket: bucket, prefix: segments[0] === '' ? '' : `${segments.join('/')}/` };
}

async function clientOf(): Promise<S3Client> {
  // Nothing else needs it.
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { endpoint, hasRegion } = storeOfEnvironment();
  return new S3Client({
    // Other stores than that of AWS have their buckets in the path, know no regions and few checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true, ...(hasRegion ? {} : { region: 'us-east-1' }) } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** `files`: local folder for files on their way. @throws Stopped if the address is wrong. */
export function openBucket(to: string, files: string): ExportTarget {
  const { Bucket, prefix } = placeOf(to);
  const name = `s3://${Bucket}${prefix ? `/${prefix.slice(0, -1)}` : ''}`;
  const of = (path: string) => ({ Bucket, Key: prefix + path });
  let opened: Promise<S3Client> | undefined;
  const client = (): Promise<S3Client> => (opened ??= clientOf());
  let known: Promise<Map<string, number>> | undefined;

  /** Bytes of everything below the prefix, by path. */
  async function listed(): Promise<Map<string, number>> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    const sizes = new Map<string, number>();
    for await (const { Contents = [] } of paginateListObjectsV2({ client: await client() }, { Bucket, Prefix: prefix }))
      for (const { Key = '', Size = 0 } of Contents) sizes.set(Key.slice(prefix.length), Size);
    return sizes;
  }

  async function read(path: string): Promise<{ text: string; written: Date | undefined } | null> {
    const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
    try {
      const { Body, LastModified: written } = await (await client()).send(new GetObjectCommand(of(path)));
      return { text: (await Body?.transformToString()) ?? '', written };
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async function putText(path: string, text: string, onlyNew = false): Promise<void> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    const ContentType = 'application/json';
    const condition = onlyNew ? { IfNoneMatch: '*' } : {};
    await (await client()).send(new PutObjectCommand({ ...of(path), Body: text, ContentType, ...condition }));
  }

  async function remove(path: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    await (await client()).send(new DeleteObjectCommand(of(path)));
  }

  return {
    name,
    staging: files,
    async prepare() {
      await mkdir(files, { recursive: true, mode: 0o700 });
    },
    manifest: async () => (await read(manifestFile))?.text ?? null,
    isEmpty: async () => (await (known ??= listed())).size === 0,
    sizeOf: async (path) => (await (known ??= listed())).get(path),
    async put(path, finished) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      const Body = createReadStream(finished);
      await new Upload({ client: await client(), params: { ...of(path), Body } }).done();
      await rm(finished, { force: true });
    },
    putManifest: (text) => putText(manifestFile, text),
    remove,
    async lock() {
      const lock = await read('lock');
      if (lock && isHeld(lock.text) && !isSilent(lock.written)) throw inUse(name, lock.text);
      if (lock) await remove('lock');
      await putText('lock', lockText(), true);
      let said = Promise.resolve();
      // The next time, or it is taken for gone.
      const say = (): void => void (said = putText('lock', lockText()).catch(() => undefined));
      const saying = setInterval(say, said_ms).unref();
      return async () => {
        clearInterval(saying);
        await said;
        await remove('lock');
      };
    },
    stoppedBy: (error) => stoppedBy(error, name, Bucket),
    async close() {
      (await opened)?.destroy();
      await rm(files, { recursive: true, force: true });
    },
  };
}

/** Stores refuse a clock that differs from theirs by more than a quarter of an hour. */
const silent_ms = 60 * 60_000;

/** Whether whoever wrote the lock has said nothing for so long that it is gone. */
const isSilent = (written: Date | undefined): boolean =>
  written !== undefined && Date.now() - written.getTime() > silent_ms;

function inUse(name: string, text: string): Stopped {
  const holder = holderIn(text);
  return new Stopped(
    `${name} is in use by ${holder ? `process ${holder.pid} of ${holder.host}` : 'another process'}: wait until it is done; ` +
      `if there is no such process, remove ${name}/lock`,
    exitCodes.failed,
  );
}

/** Errors of the store as sentences: what is refused, and what to do. */
function stoppedBy(error: unknown, name: string, bucket: string): Stopped | undefined {
  const {
    name: kind,
    message,
    code,
    $metadata,
  } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const stopped = (why: string): Stopped => new Stopped(`${name} ${why}`, exitCodes.failed);
  if (kind === 'NoSuchBucket') return stopped(`cannot be written: there is no bucket ${bucket}; make it first`);
  if (kind === 'CredentialsProviderError')
    return stopped(
      'cannot be written without credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    );
  if (/^Region is missing/.test(message)) return stopped('cannot be found without a region: set AWS_REGION');
  if (kind === 'PreconditionFailed' || kind === 'ConditionalRequestConflict')
    return stopped('was taken by another export just now: wait until it is done');
  const status = $metadata?.httpStatusCode;
  const certificate = certificateProblem(error);
  if (certificate) return stopped(`has no secure connection: ${certificate}`);
  // The library's own words stand where the answer has none.
  const hasWords = !/^(@aws-sdk |UnknownError$)/.test(message);
  const named = /^(Error|Unknown|UnknownError)$/.test(kind) ? 'and no reason' : kind;
  const told = hasWords ? `${status} ${kind} (${message})` : `${status} ${named}`;
  if (status !== undefined && status >= 500)
    return stopped(`answers with ${told}: run it again later, it goes on where it ended`);
  if (status !== undefined && status >= 400)
    return stopped(
      hasWords
        ? `refuses it with ${told}: look at the rights of these credentials`
        : `refuses it with ${told}: look at AWS_ENDPOINT_URL_S3 and at the rights of these credentials`,
    );
  if (
    code !== undefined &&
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_)/.test(code)
  )
    return stopped(`cannot be reached (${message || code}): look at AWS_ENDPOINT_URL_S3 and the network`);
  return kind === 'TimeoutError' ? stopped(`did not answer in time (${message})`) : undefined;
}
