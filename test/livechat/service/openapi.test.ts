// The OpenAPI documents: every method and action of the contract stands in one, with what it needs, and the service serves them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentActionNames } from '#contract/agent-chat.ts';
import { accountPropertyConfiguration } from '#contract/account-properties.ts';
import { botConfiguration } from '#contract/bots.ts';
import { customerActionNames } from '#contract/customer-chat.ts';
import { errorsV3 } from '#contract/errors-v3.ts';
import { reportIds } from '#contract/reports.ts';
import { restMethodIds } from '#contract/rest-v2.ts';
import { webhookConfiguration } from '#contract/webhook-registration.ts';
import { webhookActions } from '#contract/webhooks.ts';
import { openApiNames } from '#service/openapi/interfaces.ts';
import { tinyService } from './tiny.ts';

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { properties?: object; required?: string[] } }> };
  responses: Record<string, unknown>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components: {
    responses: Record<string, unknown>;
    securitySchemes: { oauth: { flows: { authorizationCode: { scopes: object } } } };
  };
}
let it_runs: Awaited<ReturnType<typeof tinyService>>;
const documents: Record<string, Document> = {};
beforeAll(async () => {
  it_runs = await tinyService({ now: '2026-05-06T00:00:00Z' });
  for (const name of openApiNames) {
    const answer = await it_runs.ask(`/openapi/${name}.json`, {});
    expect([name, answer.status, answer.headers.get('content-type')]).toEqual([
      name,
      200,
      'application/json; charset=utf-8',
    ]);
    documents[name] = (await answer.json()) as Document;
  }
});
afterAll(() => it_runs.end());

const operations = (name: string): [path: string, verb: string, operation: Operation][] =>
  Object.entries(documents[name]!.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): [string, string, Operation] => [path, verb, operation]),
  );
const named = (name: string, id: string): Operation =>
  operations(name).find(([, , each]) => each.operationId === id)![2];

describe('the documents', () => {
  it('hold the 125 methods and the actions that configure the account, each once', () => {
    const ids = Object.fromEntries(
      openApiNames.map((name) => [
        name,
        operations(name)
          .map(([, , each]) => each.operationId)
          .sort(),
      ]),
    );
    expect(ids).toEqual({
      'reports-v2': [...reportIds].sort(),
      'rest-v2': [...restMethodIds].sort(),
      'agent-v3.5': [...agentActionNames].sort(),
      'customer-v3.3': [...customerActionNames].sort(),
      'configuration-v3.5': Object.keys({
        ...webhookConfiguration,
        ...botConfiguration,
        ...accountPropertyConfiguration,
      }).sort(),
    });
    const counted = ['reports-v2', 'rest-v2', 'agent-v3.5', 'customer-v3.3'].map((name) => ids[name]!.length);
    expect(counted).toEqual([21, 35, 36, 33]);
  });
  it('are of version 3.1, lead nowhere in vain, and declare what is in their paths', () => {
    for (const [name, document] of Object.entries(documents)) {
      expect(document.openapi).toBe('3.1.0');
      for (const [, target = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
        expect(Object.keys(document.components.responses), name).toContain(
          target.replace('#/components/responses/', ''),
        );
      const scopes = Object.keys(document.components.securitySchemes.oauth.flows.authorizationCode.scopes);
      for (const [path, , { parameters = [], security, responses }] of operations(name)) {
        const declared = parameters.filter((each) => each.in === 'path').map((each) => `{${each.name}}`);
        expect(path.match(/\{\w+\}/g) ?? []).toEqual(declared);
        expect(new Set(parameters.map((each) => `${each.in} ${each.name}`)).size).toBe(parameters.length);
        for (const { oauth = [] } of security) for (const scope of oauth) expect(scopes).toContain(scope);
        expect(Object.keys(responses)).toContain('200');
      }
    }
  });
  it('say which arguments are needed', () => {
    const needed = (name: string, id: string) =>
      named(name, id).parameters!.flatMap((each) => (each.required ? `${each.in} ${each.name}` : []));
    expect(needed('reports-v2', 'agents_occupancy')).toEqual(['query weekday']);
    expect(needed('reports-v2', 'total_chats')).toEqual([]);
    expect(needed('customer-v3.3', 'get_configuration')).toEqual([
      'query group_id',
      'query version',
      'query license_id',
    ]);
    expect(named('rest-v2', 'create_tag').requestBody!.content['application/json']!.schema.required).toEqual([
      'author',
      'tag',
      'group',
    ]);
    expect(named('rest-v2', 'update_group').requestBody!.content['application/json']!.schema.required).toBeUndefined();
    expect(named('agent-v3.5', 'send_event').requestBody!.content['application/json']!.schema.required).toEqual([
      'chat_id',
      'event',
    ]);
    expect(Object.keys(named('agent-v3.5', 'upload_file').requestBody!.content)).toEqual(['multipart/form-data']);
  });
  it('say who may call', () => {
    expect(named('agent-v3.5', 'list_chats').security).toEqual([
      { oauth: ['chats--all:ro'] },
      { oauth: ['chats--access:ro'] },
      { bearer: [] },
    ]);
    expect(named('rest-v2', 'list_tags').security).toContainEqual({ basic: [] });
    expect(named('customer-v3.3', 'list_group_properties').security).toEqual([]);
    expect(named('configuration-v3.5', 'list_webhook_names').security).toEqual([]);
  });
  it('name every type of error under its status', () => {
    const { responses } = documents['agent-v3.5']!.components;
    for (const [type, [status]] of Object.entries(errorsV3))
      expect(JSON.stringify(responses[`status${status}`])).toContain(`"${type}"`);
  });
  it('describe the webhooks', () => {
    expect(Object.keys(documents['agent-v3.5']!.webhooks!)).toEqual(webhookActions);
  });
  it('are these and no others', async () => {
    for (const name of ['nothing.json', 'rest-v2', 'constructor.json', '__proto__.json'])
      expect((await it_runs.ask(`/openapi/${name}`, {})).status).toBe(404);
  });
});
