// The OpenAPI document, and the page made of it.
import { OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { contract } from './contract/contract.ts';
import { ErrorBody, type Endpoint } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { docsPage, type Paths } from './docs-page.ts';
import { mendRequired } from './required-fields.ts';

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
  const document = () => {
    const made = described.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Chatledger', version: deps.version },
      security: [{ token: [] }, { password: [] }],
    });
    const named = made.components?.schemas ?? {};
    for (const { method, path, body, schema } of contract) {
      const { requestBody, responses = {} } = made.paths?.[`/api${path}`]?.[method] ?? {};
      const asked = requestBody && 'content' in requestBody && requestBody.content['application/json']?.schema;
      if (asked && body) mendRequired(asked, body, { io: 'input', named });
      const answer = (responses as Record<string, { content?: Record<string, { schema?: object }> }>)['200'];
      const told = answer?.content?.['application/json']?.schema;
      if (told && schema) mendRequired(told, schema, { io: 'output', named });
    }
    return made;
  };
  app.get('/openapi.json', (c) => c.json(document()));
  app.get('/docs', (c) => {
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    return c.html(docsPage((document().paths ?? {}) as Paths, deps.version));
  });
}
