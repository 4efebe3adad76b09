// The tools of assistants, by the Model Context Protocol.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

export const callAssistantTools = endpoint({
  needs: 'sign_in',
  method: 'post',
  path: '/mcp',
  summary: 'Tools for assistants, by the Model Context Protocol (stateless HTTP)',
  description:
    'Clients of the 2025 and 2026 revisions of the protocol. Each tool puts questions to this API as the caller: with their rights, their rows and records in the audit. No tool changes anything.',
  body: z.looseObject({ jsonrpc: z.literal('2.0') }).openapi({ description: 'One message of the protocol' }),
  answers: { 200: 'The answer to the message', 202: 'A notification is taken' },
  media: ['application/json', 'text/event-stream'],
  refusals: { 400: 'This is no message of the protocol' },
});
