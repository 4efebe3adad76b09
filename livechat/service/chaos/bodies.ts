// Faults in the bytes of the body: truncated, empty, not JSON, too large, badly compressed. The HTTP around it is valid.
import { gzipSync } from 'node:zlib';
import type { UnsentAnswer, Fault } from './fault.ts';
import { page } from './statuses.ts';

const MEBIBYTE = 1024 * 1024;
/** Over the limit of 16 MB that a careful client sets. */
const too_large = 17 * MEBIBYTE;
/** Below that limit, so that only the compression ratio reveals it. */
const bomb = 12 * MEBIBYTE;

const withBody = (answer: UnsentAnswer, body: Buffer, headers: Record<string, string> = {}): UnsentAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
  body,
});
const instead = (answer: UnsentAnswer, text: string, type: string): UnsentAnswer =>
  withBody({ ...answer, status: 200 }, Buffer.from(text), { 'content-type': type });
/** White space after JSON is JSON. */
const padded = (body: Buffer, size: number): Buffer => Buffer.concat([body, Buffer.alloc(size - body.length, ' ')]);

const emptied = (value: unknown): unknown => {
  if (typeof value === 'object') return Array.isArray(value) ? [] : {};
  return typeof value === 'number' ? 0 : '';
};

export const bodies = {
  truncated: {
    effect: 'passing',
    what: 'a complete answer whose JSON breaks off',
    damage: (answer, { random }) =>
      answer.body.length < 2
        ? undefined
        : withBody(answer, answer.body.subarray(0, random.between(1, answer.body.length - 1))),
  },
  empty: {
    effect: 'passing',
    what: '200 with an empty body',
    damage: (answer) => withBody(answer, Buffer.alloc(0)),
  },
  not_json: {
    effect: 'passing',
    what: '200 with a word of plain text',
    damage: (answer) => instead(answer, 'OK', 'text/plain; charset=utf-8'),
  },
  html: {
    effect: 'passing',
    what: '200 with an HTML page',
    damage: () => page(200, 'Down for maintenance'),
  },
  error_200: {
    effect: 'passing',
    what: '200 with an error as the body',
    damage: (answer) => instead(answer, '{"error":"Internal Server Error"}', 'application/json'),
  },
  null_body: {
    effect: 'passing',
    what: '200 with null as the whole body',
    damage: (answer) => instead(answer, 'null', 'application/json'),
  },
  junk_after: {
    effect: 'passing',
    what: 'the right JSON with a comment of a proxy behind it',
    damage: (answer) => withBody(answer, Buffer.concat([answer.body, Buffer.from('\n<!-- 0.012 s -->\n')])),
  },
  names_twice: {
    effect: 'passing',
    what: 'the right JSON in which every name stands a second time, with nothing behind it',
    damage: (answer) => {
      const json = JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>;
      const again = Array.isArray(json) ? [] : Object.entries(json);
      if (again.length === 0) return undefined;
      const nothing = again.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(emptied(value))}`);
      return withBody(answer, Buffer.from(answer.body.toString('utf8').replace(/\}\s*$/, `${nothing.join('')}}`)));
    },
  },
  not_utf8: {
    effect: 'passing',
    what: 'a byte within a text that is no UTF-8',
    damage: (answer, { random }) => {
      const places = [...answer.body.toString('latin1').matchAll(/:"/g)].map(({ index }) => index + 2);
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      const { body } = answer;
      return withBody(answer, Buffer.concat([body.subarray(0, place), Buffer.from([0xff]), body.subarray(place)]));
    },
  },
  byte_order_mark: {
    effect: 'harmless',
    what: 'the right JSON behind a byte order mark',
    damage: (answer) => withBody(answer, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), answer.body])),
  },
  wrong_content_type: {
    effect: 'harmless',
    what: 'the right JSON, called text/html',
    damage: (answer) => withBody(answer, answer.body, { 'content-type': 'text/html' }),
  },
  large: {
    effect: 'passing',
    what: 'a body of 17 MB',
    damage: (answer) => withBody(answer, padded(answer.body, too_large)),
  },
  gzip: {
    effect: 'harmless',
    what: 'the right body, packed with gzip',
    damage: (answer) => withBody(answer, gzipSync(answer.body), { 'content-encoding': 'gzip' }),
  },
  gzip_broken: {
    effect: 'passing',
    what: 'a body packed with gzip whose end is missing',
    damage: (answer) => {
      const packed = gzipSync(answer.body);
      return withBody(answer, packed.subarray(0, Math.floor(packed.length / 2)), { 'content-encoding': 'gzip' });
    },
  },
  gzip_bomb: {
    effect: 'passing',
    what: 'a small body that unpacks to more than a hundred times its size',
    damage: (answer) => withBody(answer, gzipSync(padded(answer.body, bomb)), { 'content-encoding': 'gzip' }),
  },
} as const satisfies Record<string, Fault>;
