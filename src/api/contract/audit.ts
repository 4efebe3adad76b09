// Who did and who read what.
import { z } from '@hono/zod-openapi';
import { auditActions } from '#auth/audit.ts';
import { endpoint } from './endpoint.ts';

const AuditRow = z
  .object({
    n: z.int().openapi({ description: 'Counted from 1 without gaps' }),
    at: z.iso.datetime(),
    who: z.string().openapi({ description: 'E-mail address of a user, or what acted without one' }),
    user: z.string().nullable().openapi({ description: 'Id of the user, also of whom a token belongs to' }),
    address: z.string().openapi({ description: 'Of the network; empty: the server itself' }),
    action: z.enum(auditActions),
    about: z.string(),
    agents: z.string().nullable().openapi({ description: 'Logins of the agents whose figures were read; `*`: of all' }),
    is_refused: z.boolean(),
    hash: z.string().openapi({ description: 'SHA-256 of this row and the hash before it' }),
  })
  .openapi('AuditRow');
export type AuditRow = z.infer<typeof AuditRow>;

const filters = z.object({
  action: z.enum(auditActions).optional(),
  who: z.string().max(200).optional().openapi({ description: 'Part of who acted' }),
  from: z.iso.date().optional().openapi({ description: 'First day, of UTC' }),
  to: z.iso.date().optional().openapi({ description: 'Last day, included' }),
});

const longest_page = 500;

export const listAudit = endpoint({
  method: 'get',
  path: '/audit',
  audit: 'audit.read',
  needs: 'audit:read',
  summary: 'Who did and who read what, the newest first',
  query: filters.extend({
    before: z.coerce
      .number({ error: 'must be the number of a row, a whole one from 1 on' })
      .int()
      .positive()
      .optional()
      .openapi({ description: 'Rows before the one of this number' }),
    limit: z.coerce
      .number({ error: `must be a whole number from 1 to ${longest_page}` })
      .int()
      .min(1)
      .max(longest_page)
      .default(100),
  }),
  answers: { 200: 'Rows, and the head of the chain' },
  schema: z.object({
    rows: z.array(AuditRow),
    head: z.object({ rows: z.int(), hash: z.string() }).openapi({
      description:
        'Whoever notes it can show later (`chatledger audit verify --head`) that nothing before it was changed',
    }),
  }),
  refusals: { 400: 'There is no such action, day or parameter, or the last day is before the first' },
});

export const exportAudit = endpoint({
  method: 'get',
  path: '/audit.csv',
  needs: 'audit:read',
  audit: 'audit.read',
  summary: 'The same rows as a file',
  query: filters,
  answers: { 200: 'One line a row, the newest first' },
  media: ['text/csv'],
  refusals: { 400: 'There is no such action, day or parameter, or the last day is before the first' },
});
