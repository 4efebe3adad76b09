// A receiver of traces over each protocol of OTLP: reads protobuf by the field numbers of its public definition.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  name: string;
  kind: number;
  trace_id: string;
  span_id: string;
  parent: string;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
}

type Field = [number: number, value: Buffer | number];

/** The fields of one message: numbers for varints, bytes for what has a length or a fixed size. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, factor, byte] = [0, 1, 0];
    do {
      byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) fields.push([number, varint()]);
    else {
      const length = type === 2 ? varint() : type === 1 ? 8 : 4;
      fields.push([number, message.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message).flatMap(([found, value]) => (found === number && typeof value !== 'number' ? [value] : []));
const only = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? Buffer.alloc(0);
const numberIn = (message: Buffer, number: number): number =>
  fieldsOf(message).flatMap(([found, value]) => (found === number && typeof value === 'number' ? [value] : []))[0] ?? 0;

function attributesIn(message: Buffer, number: number): Record<string, unknown> {
  return Object.fromEntries(
    all(message, number).map((pair) => {
      const [first] = fieldsOf(only(pair, 2));
      const value = first?.[1];
      return [only(pair, 1).toString(), Buffer.isBuffer(value) ? value.toString() : value];
    }),
  );
}

const spansIn = (request: Buffer): ReceivedSpan[] =>
  all(request, 1).flatMap((group) =>
    all(group, 2).flatMap((scope) =>
      all(scope, 2).map((span) => ({
        ...{ name: only(span, 5).toString(), kind: numberIn(span, 6) },
        ...{ trace_id: only(span, 1).toString('hex'), span_id: only(span, 2).toString('hex') },
        ...{ parent: only(span, 4).toString('hex'), attributes: attributesIn(span, 9) },
        resource: attributesIn(only(group, 1), 1),
      })),
    ),
  );

interface JsonAttribute {
  key: string;
  value: Record<string, unknown>;
}
interface JsonSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: JsonAttribute[];
}
interface JsonRequest {
  resourceSpans: { resource: { attributes: JsonAttribute[] }; scopeSpans: { spans: JsonSpan[] }[] }[];
}

const attributesOf = (all: JsonAttribute[]): Record<string, unknown> =>
  Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]));

const spansOf = (request: JsonRequest): ReceivedSpan[] =>
  request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId = '', attributes }) => ({
        ...{ name, kind, trace_id: traceId, span_id: spanId, parent: parentSpanId },
        ...{ attributes: attributesOf(attributes), resource: attributesOf(resource.attributes) },
      })),
    ),
  );

export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Everything that came, as text, to look for what must not be in it. */
  heard: () => string;
  headers: string[];
  close: () => void;
}

/** Over HTTP, as protobuf or JSON. */
export async function receiveTraces(): Promise<TraceReceiver> {
  const received = receiving();
  const answer: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = Buffer.concat(parts);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const type = String(request.headers['content-type']);
      const isJson = type === 'application/json';
      const spans = isJson ? spansOf(JSON.parse(body.toString()) as JsonRequest) : spansIn(body);
      received.take(`${request.url} ${type} ${String(request.headers['x-tenant'])}`, body, spans);
      response.writeHead(200, { 'content-type': type }).end(isJson ? '{}' : '');
    });
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Bytes before each message of gRPC: whether it is compressed, and its length. */
const frame_bytes = 5;

/** Over gRPC without TLS. */
export async function receiveTracesOverGrpc(): Promise<TraceReceiver> {
  const received = receiving();
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const body = Buffer.concat(parts).subarray(frame_bytes);
      received.take(
        `${headers[':path']} ${headers['content-type']} ${String(headers['x-tenant'])}`,
        body,
        spansIn(body),
      );
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.alloc(frame_bytes));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...received,
    close: () => void server.close(),
  };
}

function receiving(): Omit<TraceReceiver, 'url' | 'close'> & {
  take: (head: string, body: Buffer, found: ReceivedSpan[]) => void;
} {
  const [spans, headers, bodies]: [ReceivedSpan[], string[], Buffer[]] = [[], [], []];
  return {
    ...{ spans, headers, heard: () => Buffer.concat(bodies).toString('latin1') },
    take: (head, body, found) => {
      headers.push(head);
      bodies.push(body);
      spans.push(...found);
    },
  };
}
