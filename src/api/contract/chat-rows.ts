// Chats as rows to take away: some of them with what their columns mean, and all of them as a file.
import { z } from '@hono/zod-openapi';
import { chatColumnIds, usualColumns } from '#warehouse/read/chat-columns.ts';
import { searchChats } from './chats.ts';
import { endpoint, unchanged, unpublished, value } from './endpoint.ts';

const Column = z
  .object({
    id: z.enum(chatColumnIds),
    title: z.string(),
    description: z.string(),
    type: z.string().openapi({ description: 'text, int, double, decimal, bool, instant, or local: a local time' }),
    unit: z.string().optional(),
    is_chosen: z.boolean(),
  })
  .openapi('ChatColumn');

const Rows = z
  .object({
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    total: z.int(),
    snapshot: z.string(),
    columns: z.array(Column).openapi({ description: 'All that may be asked for, in the order of files' }),
    rows: z.array(z.record(z.string(), value)).openapi({ description: 'The chosen columns by their ids' }),
  })
  .openapi('ChatRows');
export type ChatRows = z.infer<typeof Rows>;

const Query = searchChats.query.omit({ limit: true, offset: true }).extend({
  columns: z
    .string()
    .optional()
    .openapi({ description: `Comma-separated or repeated, in this order; default ${usualColumns.join(',')}` }),
});
const wrong = 'What is wrong with the question; the choices say which columns there are';

export const listChatRows = endpoint({
  needs: 'chats:read',
  method: 'get',
  path: '/chat-rows',
  agents: 'by_column',
  audit: 'chats.searched',
  summary: 'One row per chat of a search with the chosen columns, newest first',
  query: Query.extend({
    limit: z.string().optional().openapi({ description: 'Default 100, at most 1000' }),
    offset: z.string().optional(),
  }),
  answers: { 200: 'Some of the rows, how many there are, and what the columns mean', 304: unchanged },
  schema: Rows,
  refusals: { 400: wrong, 503: unpublished },
});

const taken = {
  needs: 'chats:read',
  method: 'get',
  agents: 'by_column',
  audit: 'chats.exported',
  description: 'The same question as /chat-rows, of any number of chats.',
  query: Query,
  answers: { 200: 'One row per chat, newest first' },
} as const;
const unavailable = 'Nothing is published yet, or too many files are being read';

export const exportChatRowsCsv = endpoint({
  ...taken,
  path: '/chat-rows.csv',
  summary: 'Chats as CSV, one row each',
  media: ['text/csv'],
  refusals: { 400: wrong, 503: unavailable },
});

export const exportChatRowsXlsx = endpoint({
  ...taken,
  path: '/chat-rows.xlsx',
  summary: 'Chats as a workbook of one sheet, one row each, at most 1,048,575',
  media: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  refusals: { 400: `${wrong}; or they are more than a sheet holds`, 503: unavailable },
});

export const exportChatRowsParquet = endpoint({
  ...taken,
  path: '/chat-rows.parquet',
  summary: 'Chats as a file of columns with types, one row each',
  media: ['application/vnd.apache.parquet'],
  refusals: {
    400: wrong,
    409: 'The accounts are pulled elsewhere, and there is no file of them here',
    503: unavailable,
  },
});
