// The OpenAPI documents of the service, each made from the contract when it is first asked for.
import { z } from 'zod';
import type { ActionV3 } from '#contract/actions.ts';
import { agentActions } from '#contract/agent-chat.ts';
import { accountPropertyConfiguration } from '#contract/account-properties.ts';
import { botConfiguration } from '#contract/bots.ts';
import { customerChat, openToAnybody } from '#contract/customer-chat.ts';
import { errorsV3 } from '#contract/errors-v3.ts';
import { bodySchema } from '#contract/fields.ts';
import { reportIds, reports, type ReportId } from '#contract/reports.ts';
import { restMethods, type RestMethod } from '#contract/rest-v2.ts';
import { webhookConfiguration } from '#contract/webhook-registration.ts';
import { webhookPayloads } from '#contract/webhooks.ts';
import { openApiDocument } from './document.ts';

type Operations = Parameters<typeof openApiDocument>[0]['operations'];
type Declared = Pick<ActionV3, 'args' | 'answer' | 'is_get' | 'is_upload'> & { scopes: readonly string[] | null };

const oneSentence = z.object({ error: z.string() });
const errorsV2 = {
  400: { description: 'Wrong arguments', body: z.object({ errors: z.array(z.string()) }) },
  401: { description: 'Nobody known', body: oneSentence },
  403: { description: 'A right or a scope is missing', body: oneSentence },
  404: { description: 'There is none', body: oneSentence },
};
const versionHeader = { name: 'X-API-Version', in: 'header', schema: { const: '2' } };

function errorsOfV3() {
  const by_status = Map.groupBy(Object.entries(errorsV3), ([, [status]]) => String(status));
  return Object.fromEntries(
    [...by_status].map(([status, errors]) => {
      const types = errors.map(([type]) => type) as [string, ...string[]];
      const data = z.record(z.string(), z.unknown()).optional();
      const body = z.object({ error: z.object({ type: z.enum(types), message: z.string(), data }) });
      return [status, { description: errors.map(([, [, message]]) => message).join('; '), body }];
    }),
  );
}

const actionsUnder = (path: string, declared: Readonly<Record<string, Declared>>): Operations =>
  Object.entries(declared).map(([id, { scopes, args, answer, is_get, is_upload }]) => ({
    ...{ id, path: `${path}/${id}`, scopes, answer },
    ...(is_get ? { verb: 'get', query: args } : { verb: 'post', body: args }),
    ...(is_upload && { is_upload }),
  }));

const methods = (): Operations =>
  Object.entries(restMethods as Record<string, RestMethod>).map(
    ([id, { verb, path, scopes, query, body, answer }]) => ({
      ...{ id, verb, path: path.replace(':name', '{name}'), scopes, answer },
      ...(query && { query }),
      ...(body && {
        body: bodySchema(body),
        needed: Object.keys(body).filter((name) => body[name]!.is_required),
      }),
    }),
  );

function answerOfReport(id: ReportId): z.ZodType {
  const { keyed, each } = reports[id];
  return keyed === 'ranking' ? z.object({ ranking: z.array(each) }) : z.record(z.string(), each);
}

const license = { name: 'license_id', in: 'query', required: true, schema: { type: 'integer' } };
const customerActions = (): Readonly<Record<string, Declared>> =>
  Object.fromEntries(
    Object.entries<ActionV3>(customerChat).map(([name, action]) => [
      name,
      { ...action, scopes: openToAnybody.some((each) => each === name) ? null : action.scopes },
    ]),
  );

const documents: Readonly<Record<string, () => object>> = {
  'reports-v2': () =>
    openApiDocument({
      ...{ title: 'Reports API', version: '2.0', has_basic: true, errors: errorsV2, parameters: [versionHeader] },
      description: 'The 21 reports of the embedded service.',
      operations: reportIds.map((id) => ({
        ...{ id, verb: 'get', path: reports[id].path, scopes: [], query: reports[id].args, answer: answerOfReport(id) },
      })),
    }),
  'rest-v2': () =>
    openApiDocument({
      ...{ title: 'REST API', version: '2.0', has_basic: true, errors: errorsV2, parameters: [versionHeader] },
      description: 'The 35 methods of the embedded service. Bodies are JSON, or forms with brackets.',
      operations: methods(),
    }),
  'agent-v3.5': () =>
    openApiDocument({
      ...{ title: 'Agent Chat Web API', version: '3.5', errors: errorsOfV3(), webhooks: webhookPayloads },
      description: 'Actions of agents and bots, and the webhooks that they cause.',
      operations: actionsUnder('/v3.5/agent/action', agentActions),
    }),
  'customer-v3.3': () =>
    openApiDocument({
      ...{ title: 'Customer Chat Web API', version: '3.3', errors: errorsOfV3(), parameters: [license] },
      description: 'Actions of customers, with tokens that `POST /customer/token` gives out.',
      operations: actionsUnder('/v3.3/customer/action', customerActions()),
    }),
  'configuration-v3.5': () =>
    openApiDocument({
      ...{ title: 'Configuration API', version: '3.5', errors: errorsOfV3() },
      description: 'Webhooks and bots.',
      operations: actionsUnder('/v3.5/configuration/action', {
        ...webhookConfiguration,
        ...botConfiguration,
        ...accountPropertyConfiguration,
      }),
    }),
};

/** Names of the documents, without `.json`. */
export const openApiNames = Object.keys(documents);
const made = new Map<string, object>();

/** The document of this name, or undefined. */
export function openApiNamed(name: string): object | undefined {
  if (!made.has(name) && Object.hasOwn(documents, name)) made.set(name, documents[name]!());
  return made.get(name);
}
