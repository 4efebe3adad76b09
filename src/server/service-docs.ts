// The parts of docs/service.md about tokens, webhooks and system messages; what the contract and the service declare is taken from there.
import { systemMessages, unsaidSystemMessages } from '#contract/system-messages.ts';
import { additionalDataOf, filtersOf, webhookConfiguration } from '#contract/webhook-registration.ts';
import { webhookActions, webhookPayloads } from '#contract/webhooks.ts';
import { openApiNames } from '#service/openapi/interfaces.ts';
import { usualLifetime } from '#service/tokens.ts';
import { most_attempts, pauseAfter } from '#service/webhooks/deliveries.ts';

const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const retries = most_attempts - 1;
const pauses = Array.from({ length: retries }, (_, index) => pauseAfter(index + 1));
const minutes = Math.round(pauses.reduce((sum, pause) => sum + pause, 0) / 60);

export const sectionsBesideMethods = (): string[] => [
  '## Tokens',
  '',
  'An access token begins with its region, `dal:` or `fra:`; a request is for `dal` unless `X-Region` says otherwise, and a token of the other',
  'region is refused with `misdirected_request` and the right one in `data.region`. Tokens of agents, bots and customers each open their own',
  'interface only. `npx chatledger service-token` mints one of any kind on the machine; it is good for ever unless `--expires` says how many seconds.',
  'With `--personal` it is a personal access token: the password of an agent in Basic authentication at the REST and Reports APIs, beside the API key.',
  '',
  'An agent may act as a bot with `X-Author-Id: <bot id>`, when the bot belongs to the client that the token was given to, or the token to none. The',
  'token of a bot acts as that bot. `create_bot`, `list_bots` and `delete_bot` of the Configuration API keep the list.',
  'Its `update_license_properties` and `update_group_properties` set what `list_license_properties` and `list_group_properties` give to customers.',
  'In the namespace `chat_assignment` they say how chats find their agents, of the account or, before it, of a group: `queue_enabled` (true unless told',
  'otherwise) whether customers wait when all agents are busy, and chats whose agent is gone; `reassign_after_minutes` (0, which is never, to 60) after',
  'how long without a reply a chat goes to another agent.',
  '',
  `Over HTTP, tokens of agents come from the OAuth 2.1 code flow with PKCE (S256 only) and are good for ${usualLifetime} seconds:`,
  '',
  '1. `npx chatledger service-client add --name App --redirect https://app.example/callback` registers a client. With `--confidential` it gets a secret.',
  '2. The browser goes to `/oauth/authorize?response_type=code&client_id=…&redirect_uri=…&state=…&code_challenge=…&code_challenge_method=S256`',
  '   (`scope` with spaces or commas; without it all that the client may ask for). The agent signs in with login and password, or API key.',
  '3. `POST /oauth/token` with `grant_type=authorization_code`, `client_id`, `code`, `redirect_uri` and `code_verifier` gives `access_token` and',
  '   `refresh_token`. A code is good for one minute and once; used a second time, it withdraws what it gave.',
  '4. `POST /oauth/token` with `grant_type=refresh_token` gives a new pair. A refresh token is good for ninety days and once; used a second time, it',
  '   withdraws every token of the consent. `POST /oauth/revoke` with `token` withdraws an access token, or with a refresh token the consent.',
  '',
  'Ten wrong passwords for a login close the page for it for fifteen minutes. `redirect_uri` is compared as it is.',
  '',
  'Customers get theirs from `POST /customer/token` with `client_id`, `license_id` or `organization_id`, `grant_type` (`cookie`, or `agent_token` with the',
  'Bearer token of an agent that has the scope `customers:own`) and `response_type` `token`. The cookies `__lc_cid` and `__lc_cst` make the same browser',
  'the same customer again. `npx chatledger service` prints license and organization.',
  '',
  '## Webhooks',
  '',
  'A client registers at most three webhooks for an action, by `POST /v3.5/configuration/action/<name>`; those of type `license` are sent once',
  '`enable_license_webhooks` was called, those of type `bot` for chats in which a bot of the client is. Only the owner and administrators register.',
  '',
  '| action | scopes |',
  '| --- | --- |',
  ...Object.entries(webhookConfiguration).map(
    ([name, { scopes }]) => `| \`${name}\` | ${scopes === null ? 'no token is needed' : named(scopes)} |`,
  ),
  '',
  'The body is `{webhook_id, secret_key, action, organization_id, payload, additional_data}`. `x-webhook-delivery` is the same for each attempt of a',
  'delivery, so that a receiver can drop what it has; it leaves once the disk has the change, and after a crash one may come twice. The changes of a chat come in order to a server, whatever',
  `webhooks of a client they are for, and chats side by side. An answer other than 2xx, or none within ten seconds, is tried again ${retries} times with growing pauses (${pauses[0]} s, ${pauses[1]} s, … ${minutes} minutes together), then given up:`,
  '`POST /chatledger/action/list_webhook_failures` with `id` lists those, the newest first. Redirects are not followed. Addresses that are not on the public',
  'internet are refused unless `CHATLEDGER_SERVICE_OUTGOING_HOSTS` names the host. What callers do, and what follows from it, causes webhooks; chats that the',
  'simulation has by itself cause none until a caller touches them.',
  '',
  '| webhook | payload | filters | additional data |',
  '| --- | --- | --- | --- |',
  ...webhookActions.map((action) => {
    const payload = Object.keys(webhookPayloads[action].shape);
    return `| \`${action}\` | ${named(payload)} | ${named(filtersOf(action))} | ${named(additionalDataOf(action))} |`;
  }),
  '',
  '## System messages',
  '',
  'What happens to a chat is said in it by an event of the type `system_message`, with `system_message_type`, `text` and the words of it as `text_vars`.',
  '',
  '| type | text | when |',
  '| --- | --- | --- |',
  ...Object.entries(systemMessages).map(
    ([type, { texts, when }]) => `| \`${type}\` | ${texts.join('<br>')} | ${when} |`,
  ),
  '',
  'No method of the four APIs leads to these that the vendor has besides:',
  '',
  ...Object.entries(unsaidSystemMessages).map(([type, reason]) => `- \`${type}\`: ${reason}.`),
  '',
  '## OpenAPI',
  '',
  `Documents of version 3.1, made from the contract: ${openApiNames.map((name) => `\`/openapi/${name}.json\``).join(', ')}.`,
  '',
];
