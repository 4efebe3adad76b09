// Builds an OpenAPI 3.1 document from declarations of the contract: what each operation takes and answers, and who may call it.
import { z } from 'zod';

type Schema = Record<string, unknown>;

interface Operation {
  /** Name in the documents, unique in the interface. */
  id: string;
  verb: string;
  /** `{name}` stands for what changes in it. */
  path: string;
  /** A token needs one of them. Null: anybody may ask. */
  scopes: readonly string[] | null;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Names in the body that must be there, where the schema does not say so itself. */
  needed?: readonly string[];
  is_upload?: boolean;
  answer: z.ZodType;
}

interface Interface {
  title: string;
  version: string;
  description: string;
  /** Besides OAuth. */
  has_basic?: boolean;
  /** Sent with each request. */
  parameters?: readonly Schema[];
  operations: readonly Operation[];
  /** Statuses and the shapes of their bodies. */
  errors: Readonly<Record<string, { description: string; body: z.ZodType }>>;
  /** Payload by name of the webhook. */
  webhooks?: Readonly<Record<string, z.ZodType>>;
}

/** What is sent, or what comes back; what JSON Schema cannot say is left open. */
function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema;
  return schema;
}

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

export function openApiDocument(described: Interface): Schema {
  const { title, version, description, operations, errors, webhooks = {} } = described;
  const paths: Record<string, Record<string, Schema>> = {};
  for (const each of operations)
    paths[each.path] = { ...paths[each.path], [each.verb.toLowerCase()]: operationOf(each, described) };
  const scopes = Object.fromEntries(operations.flatMap((each) => each.scopes ?? []).map((scope) => [scope, scope]));
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks: webhooksOf(webhooks) }),
    components: {
      responses: Object.fromEntries(
        Object.entries(errors).map(([status, error]) => [
          `status${status}`,
          { description: error.description, content: json(schemaOf(error.body, 'output')) },
        ]),
      ),
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              ...{ authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token', refreshUrl: '/oauth/token' },
              scopes,
            },
          },
        },
        bearer: { type: 'http', scheme: 'bearer' },
        ...(described.has_basic && { basic: { type: 'http', scheme: 'basic' } }),
      },
    },
  };
}

function operationOf({ id, path, scopes, query, body, needed, is_upload, answer }: Operation, all: Interface): Schema {
  const in_path = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: 'string' },
  }));
  const parameters = [...in_path, ...(query ? parametersOf(query) : []), ...(all.parameters ?? [])];
  return {
    operationId: id,
    security: securityOf(scopes, all.has_basic ?? false),
    ...(parameters.length > 0 && { parameters }),
    ...(is_upload && { requestBody: { required: true, content: { 'multipart/form-data': { schema: fileForm } } } }),
    ...(body &&
      !is_upload && { requestBody: { required: true, content: bodyOf(body, needed, all.has_basic ?? false) } }),
    responses: {
      200: { description: 'Success', content: json(schemaOf(answer, 'output')) },
      ...Object.fromEntries(
        Object.keys(all.errors).map((status) => [status, { $ref: `#/components/responses/status${status}` }]),
      ),
    },
  };
}

const fileForm: Schema = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

function bodyOf(body: z.ZodType, needed: readonly string[] | undefined, takes_forms: boolean): Schema {
  const { required: _, ...free } = schemaOf(body, 'input');
  const schema =
    needed === undefined ? schemaOf(body, 'input') : { ...free, ...(needed.length > 0 && { required: needed }) };
  return { ...json(schema), ...(takes_forms && { 'application/x-www-form-urlencoded': { schema } }) };
}

/** The arguments without which a question without any is refused are the needed ones. */
function parametersOf(query: z.ZodType): Schema[] {
  const refused = query.safeParse({}).error?.issues ?? [];
  const needed = new Set(refused.map(({ path }) => path[0]));
  const { properties = {} } = schemaOf(query, 'input') as { properties?: Record<string, Schema> };
  return Object.entries(properties)
    .filter(([, schema]) => Object.keys(schema).length > 0)
    .map(([name, schema]) => ({
      ...{ name, in: 'query', schema },
      ...(needed.has(name) && { required: true }),
    }));
}

/** One of these. */
function securityOf(scopes: readonly string[] | null, has_basic: boolean): Schema[] {
  if (scopes === null) return [];
  const by_scope = scopes.length === 0 ? [{ oauth: [] }] : scopes.map((scope) => ({ oauth: [scope] }));
  return [...by_scope, { bearer: [] }, ...(has_basic ? [{ basic: [] }] : [])];
}

function webhooksOf(payloads: Readonly<Record<string, z.ZodType>>): Schema {
  const text = { type: 'string' };
  return Object.fromEntries(
    Object.entries(payloads).map(([action, payload]) => {
      const properties = {
        ...{ webhook_id: text, secret_key: text, action: { const: action }, organization_id: text },
        payload: schemaOf(payload, 'output'),
        additional_data: {
          type: 'object',
          properties: { chat_properties: { type: 'object' }, chat_presence_user_ids: { type: 'array', items: text } },
        },
      };
      const schema = { type: 'object', properties, required: Object.keys(properties) };
      const responses = { '2XX': { description: 'Taken; anything else is sent again later' } };
      return [
        action,
        { post: { operationId: action, requestBody: { required: true, content: json(schema) }, responses } },
      ];
    }),
  );
}
