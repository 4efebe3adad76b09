// Traces by OpenTelemetry, as a receiver of OTLP gets them from the running program: which spans, how they belong together, and
// nothing of what people wrote, are called or keep secret.
import { partOf } from '../chance.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../ports.ts';
import { filledFolder, only, type Filled } from './filled.ts';
import { copiedFolder, runToEnd, until } from './program.ts';
import { weekBefore } from './still.ts';
import { begin, copyProgram, endRuns, type Run } from './supervised.ts';
import { receiveTraces, receiveTracesOverGrpc, type ReceivedSpan, type TraceReceiver } from './trace-receiver.ts';

let filled: Filled;
let receiver: TraceReceiver;
let folder: string;
const settings = (): Record<string, string> => ({
  ...filled.settings(),
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=t3nant-s3cret',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_BSP_SCHEDULE_DELAY: '100',
});
const named = (name: string): ReceivedSpan[] => receiver.spans.filter((span) => span.name === name);

beforeAll(async () => {
  filled = await filledFolder();
  receiver = await receiveTraces();
  folder = copiedFolder(filled.folder);
}, 120_000);
afterAll(async () => {
  endRuns();
  receiver.close();
  await filled.service.close();
});

test('a pull is a trace, in which it publishes, with counts and without names', async () => {
  const { code, complained } = await runToEnd(['pull', ...only], settings(), folder);
  expect([code, complained]).toEqual([0, '']);
  const [pull] = named('pull');
  expect(pull).toMatchObject({
    parent: '',
    attributes: { 'chatledger.account': 'default', 'chatledger.failed': 0, 'chatledger.chats_new': 0 },
    resource: {
      ...{ 'service.name': 'chatledger', 'chatledger.command': 'pull', 'deployment.environment.name': 'test' },
    },
  });
  expect(Number(pull?.attributes['chatledger.requests'])).toBeGreaterThan(3);
  expect(receiver.headers[0]).toBe('/v1/traces application/x-protobuf t3nant-s3cret');
});

test('a digest that is sent is a span with its questions', async () => {
  const command = ['digest', 'run', 'monday-morning', '--for', weekBefore(), '--format', 'csv', '--send'];
  await runToEnd(command, settings(), folder);
  const attributes = { 'chatledger.channel': 'folder', 'chatledger.state': 'held' };
  expect(named('digest')).toMatchObject([{ attributes }]);
  const questions = receiver.spans.filter(({ resource }) => resource['chatledger.command'] === 'digest');
  expect(questions.some(({ name }) => name.startsWith('question '))).toBe(true);
});

describe('a server', () => {
  let run: Run;
  let origin = '';
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const own = { CHATLEDGER_PORT: String(port), CHATLEDGER_LOG: 'json', OTEL_SERVICE_NAME: 'ledger-of-tests' };
    run = begin([copyProgram({ has_pages: true }), 'serve'], { ...settings(), ...own }, folder);
    const isUp = () =>
      fetch(`${origin}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isUp, 60, 'the server');
  }, 90_000);

  test('has a span of each request by its pattern, with its questions, and the log names its trace', async () => {
    const asked = `${origin}/api/metrics/total_chats?from=2026-01-01&to=2026-01-02&tag=Ann%20O'Neil`;
    const answer = await fetch(asked, { headers: { 'x-request-id': 'proxy-4711' } });
    expect(answer.status).toBe(200);
    await fetch(`${origin}/api/chats/CHAT-OF-ANN?search=hunter2`);
    await fetch(`${origin}/vera@example.com`);
    await until(() => named('GET /…').length > 0, 20, 'the spans');
    const [request] = named('GET /api/metrics/{id}');
    expect(request).toMatchObject({
      ...{ kind: 2, parent: '' },
      attributes: {
        ...{ 'http.request.method': 'GET', 'http.route': '/api/metrics/{id}', 'http.response.status_code': 200 },
        'chatledger.request_id': 'proxy-4711',
      },
      resource: { 'service.name': 'ledger-of-tests', 'chatledger.command': 'serve' },
    });
    const question = named('question total_chats').find(({ trace_id }) => trace_id === request?.trace_id);
    expect(question).toMatchObject({
      ...{ parent: request?.span_id, kind: 1 },
      attributes: { 'chatledger.metric': 'total_chats', 'chatledger.account': 'default' },
    });
    expect(named('GET /api/chats/{id}')).toMatchObject([{ attributes: { 'http.response.status_code': 400 } }]);
    expect(receiver.spans.some(({ name }) => name.includes('health'))).toBe(false);
    const line = run
      .said()
      .split('\n')
      .find((it) => it.includes('proxy-4711'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ request_id: 'proxy-4711', trace_id: request?.trace_id });
  });

  test('sends what is left when it is told to end', async () => {
    await fetch(`${origin}/api/metrics`);
    run.child.kill('SIGTERM');
    expect((await run.exit).code).toBe(0);
    expect(named('GET /api/metrics').length).toBe(1);
  });
});

test('nothing of people and no secret came with any of it', () => {
  const heard = receiver.heard();
  expect(receiver.spans.length).toBeGreaterThan(5);
  for (const word of [
    ...['Ann', "O'Neil", 'CHAT-OF-ANN', 'hunter2', 'vera', 'example.com', 'owner', 't3nant', 'ef'.repeat(16)],
    ...[folder, process.execPath, 'process.', 'host.', 'monday-morning'],
  ])
    expect([word, heard.includes(word)]).toEqual([word, false]);
  const values = receiver.spans.flatMap(({ attributes }) => Object.values(attributes).map(String));
  expect(values.filter((value) => value.includes('?'))).toEqual([]);
});

test('a receiver that is not there keeps nothing from working or ending', async () => {
  const gone = { ...settings(), OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
  const { code } = await runToEnd(['pull', ...only], gone, copiedFolder(filled.folder));
  expect(code).toBe(0);
});

test.each(
  partOf(
    [
      ['http/json', receiveTraces, '/v1/traces application/json t3nant-s3cret'],
      [
        'grpc',
        receiveTracesOverGrpc,
        '/opentelemetry.proto.collector.trace.v1.TraceService/Export application/grpc t3nant-s3cret',
      ],
    ] as const,
    2,
  ),
)('a receiver of %s gets the same pull', async (protocol, receive, head) => {
  const other = await receive();
  const own = { ...settings(), OTEL_EXPORTER_OTLP_ENDPOINT: other.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
  const { code, complained } = await runToEnd(['pull', ...only], own, copiedFolder(filled.folder));
  other.close();
  expect([code, complained]).toEqual([0, '']);
  expect(other.headers[0]).toBe(head);
  const [pull] = other.spans.filter(({ name }) => name === 'pull');
  expect(pull).toMatchObject({
    ...{ parent: '', attributes: { 'chatledger.account': 'default' } },
    resource: { 'service.name': 'chatledger', 'chatledger.command': 'pull' },
  });
  const questions = other.spans.filter(({ name }) => name.startsWith('question '));
  expect(new Set(questions.map(({ trace_id }) => trace_id))).toEqual(new Set([pull?.trace_id]));
});

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http', 'it can be http/protobuf, http/json or grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'protobuf', 'it can be http/protobuf, http/json or grpc'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'begins with http:// or https://'],
  ['OTEL_TRACES_EXPORTER', 'otlp,zipkin', 'OTEL_TRACES_EXPORTER=zipkin is not known'],
  ['OTEL_TRACES_SAMPLER', 'ratio', 'traceidratio'],
])('%s=%s is refused at the start', async (name, value, said) => {
  const { code, complained } = await runToEnd(['pull', ...only], { ...settings(), [name]: value }, folder);
  expect(code).toBe(2);
  expect(complained).toContain(said);
});

test('without the variable, and when it is switched off, nothing is loaded or sent', async () => {
  const before = receiver.spans.length;
  const off = { ...settings(), OTEL_SDK_DISABLED: 'true' };
  expect((await runToEnd(['pull', ...only], off, copiedFolder(filled.folder))).code).toBe(0);
  expect(receiver.spans.length).toBe(before);
});
