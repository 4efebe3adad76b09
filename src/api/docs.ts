// The OpenAPI document, and the same document as a page that a person can read. No script, nothing from elsewhere.
import { OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { contract } from './contract/contract.ts';
import { ErrorBody, type Endpoint } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { catalogue } from '#warehouse/definitions/metrics.ts';

interface Operation {
  summary?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: { description?: string };
  }[];
  responses?: Record<string, { description?: string }>;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/`([^`]+)`/g, '<code>$1</code>');

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
code{font-family:ui-monospace,monospace}h2{margin-top:2.5rem;border-top:1px solid #d0d7de;padding-top:1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d0d7de}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}a{color:#79b8ff}}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`;

function operationSection(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(({ name, in: where, description, schema }) => [
    `<code>${escaped(name)}</code>`,
    escaped(where),
    escaped(description ?? schema?.description ?? ''),
  ]);
  const responses = Object.entries(operation.responses ?? {}).map(([status, { description }]) => [
    status,
    escaped(description ?? ''),
  ]);
  return (
    `<h2><code>${method.toUpperCase()} ${escaped(path)}</code></h2><p>${escaped(operation.summary ?? '')}</p>` +
    table(['parameter', 'in', 'meaning'], parameters) +
    table(['status', 'answer'], responses)
  );
}

function page(paths: Record<string, Record<string, Operation>>, version: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method, path, operation)),
  );
  const metrics = catalogue().map(({ id, definition, measures, splits }) => [
    `<a href="metrics/${id}"><code>${id}</code></a>`,
    escaped(definition),
    Object.entries(measures)
      .map(([name, { unit }]) => `<code>${name}</code> (${unit})`)
      .join(', '),
    splits.join(', '),
  ]);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Chatledger API</title><style>${style}</style></head><body><main><h1>Chatledger API</h1>` +
    `<p>Version ${escaped(version)}. The same for programs: <a href="openapi.json">openapi.json</a>. Callers send ` +
    `<code>Authorization: Bearer &lt;token&gt;</code>, or Basic with the token as password; browsers that have signed in a cookie; while nobody has to sign in, nothing on this machine. ` +
    `Errors are <code>{"error": {"type", "message", "choices"}}</code>.</p>${operations.join('')}` +
    `<h2>Metrics</h2>${table(['metric', 'meaning', 'measures', 'splits'], metrics)}</main></body></html>`
  );
}

const openApi = ({ method, path, summary, description, needs, ...one }: Endpoint): RouteConfig => {
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
  const media = one.media && Object.fromEntries(one.media.map((type) => [type, { schema: z.string() }]));
  const content = one.schema ? json(one.schema) : media;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, z.string()]);
  const params = one.params ?? (names.length > 0 ? z.object(Object.fromEntries(names)) : undefined);
  const hasBody = (status: string): boolean => content !== undefined && status !== '304';
  const answers = Object.entries(one.answers).map(([status, words]) => [
    status,
    { description: words, ...(hasBody(status) ? { content } : {}) },
  ]);
  const refusals = Object.entries(one.refusals).map(([status, words]) => [
    status,
    { description: words, content: json(one.refusal ?? ErrorBody) },
  ]);
  return {
    ...{ method, path, summary, responses: Object.fromEntries([...answers, ...refusals]) },
    ...(description === undefined ? {} : { description }),
    ...(needs === 'nothing' ? { security: [] } : {}),
    request: {
      ...(params ? { params } : {}),
      ...(one.query ? { query: one.query } : {}),
      ...(one.body ? { body: { content: json(one.body) } } : {}),
    },
  };
};

export function addDocs(app: Hono, deps: ApiDeps): void {
  const described = new OpenAPIHono().basePath('/api');
  described.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  described.openAPIRegistry.registerComponent('securitySchemes', 'password', { type: 'http', scheme: 'basic' });
  for (const one of contract) described.openAPIRegistry.registerPath(openApi(one));
  const document = () =>
    described.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Chatledger', version: deps.version },
      security: [{ token: [] }, { password: [] }],
    });
  app.get('/openapi.json', (c) => c.json(document()));
  app.get('/docs', (c) => {
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    return c.html(page((document().paths ?? {}) as Record<string, Record<string, Operation>>, deps.version));
  });
}
