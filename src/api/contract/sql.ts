// Statements against the published snapshot.
import { z } from '@hono/zod-openapi';
import { roleNames } from '#auth/rights.ts';
import { hasStatement, no_statement } from '#warehouse/engines/console-empty.ts';
import { endpoint, ErrorBody, unpublished } from './endpoint.ts';

const Place = z.object({ line: z.int(), column: z.int() });

const SqlResult = z
  .object({
    snapshot: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z
      .array(z.array(z.unknown()))
      .openapi({ description: 'In order of the columns; large integers, decimals and times are texts' }),
    more: z.boolean().openapi({ description: 'There are more rows than are given at once' }),
    milliseconds: z.number(),
  })
  .openapi('SqlResult');
export type SqlResult = z.infer<typeof SqlResult>;

const SqlRefusal = z
  .object({
    error: ErrorBody.shape.error.extend({
      place: Place.nullable().optional().openapi({ description: 'Where in the statement, from 1' }),
      parameters: z
        .array(z.string())
        .optional()
        .openapi({ description: 'Those that lack a value, have a wrong one, or are not in the statement' }),
    }),
  })
  .openapi('SqlRefusal');
export type SqlRefusal = z.infer<typeof SqlRefusal>;

export const statementText = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .max(20_000, { error: 'must have at most 20000 characters' })
  .refine(hasStatement, { error: no_statement })
  .openapi({ description: 'In the SQL of the published file' });

const most_parameters = 50;
export const parameterValues = z
  .record(
    z.string().regex(/^[\p{L}\d_]{1,64}$/u, { error: 'must be the name of a parameter, without $' }),
    z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]),
  )
  .refine((values) => Object.keys(values).length <= most_parameters, {
    error: `must be at most ${most_parameters} parameters`,
  });
export type ParameterValues = z.infer<typeof parameterValues>;

const SqlTables = z
  .object({
    tables: z.array(
      z.object({
        name: z.string().openapi({ description: 'With its schema, such as facts.chats' }),
        comment: z.string(),
        columns: z.array(
          z.object({
            ...{ name: z.string(), type: z.string(), comment: z.string() },
            source: z
              .object({
                request: z.string().openapi({ description: 'To the source, such as GET /chats' }),
                fields: z.array(z.string()).openapi({
                  description: 'Paths within a record of its answer; []: each entry of a list, *: each key',
                }),
                decoder: z.string().openapi({ description: 'The file of the program that reads them' }),
              })
              .nullable()
              .openapi({ description: 'Null: counted by the program, or set by people' }),
            since: z
              .object({
                version: z.int().openapi({ description: 'Of the tables, the first with it (docs/columns.md)' }),
                release: z.string().openapi({ description: 'The first of the program with that version' }),
                reached_at: z.string().openapi({
                  description:
                    'When this file came to that version, or was made with a later one; earlier snapshots may lack the column',
                }),
              })
              .nullable()
              .openapi({ description: 'Null: a view or a table that each publication makes anew' }),
          }),
        ),
      }),
    ),
  })
  .openapi('SqlTables');

const SqlLimits = z
  .object({
    role: z.enum(roleNames).openapi({ description: 'Of the caller; of a token, that of its maker' }),
    seconds: z.number(),
    rows: z.int().openapi({ description: 'Of an answer, which says when there are more' }),
    file_seconds: z.number(),
    file_rows: z.int().openapi({ description: 'Of a file, which is refused when there are more' }),
    memory_bytes: z.int(),
    spill_bytes: z.int().openapi({ description: 'On the disk, for what does not fit into memory; 0: none' }),
  })
  .openapi('SqlLimits');
export type SqlLimits = z.infer<typeof SqlLimits>;

export const showSqlLimits = endpoint({
  needs: 'files',
  method: 'get',
  path: '/sql/limits',
  summary: "What a statement of the caller may take, by the caller's role",
  answers: { 200: 'Time, rows, memory and disk' },
  schema: SqlLimits,
  refusals: { 503: 'This server answers no SQL' },
});

export const listSqlTables = endpoint({
  needs: 'files',
  method: 'get',
  path: '/sql/tables',
  summary:
    'The tables and views of the published snapshot with their columns, comments, the fields of the source that these come from, and the version since which they are there',
  answers: { 200: 'Facts and metrics first' },
  schema: SqlTables,
  refusals: { 503: unpublished },
});

const asked = {
  statement: statementText,
  parameters: parameterValues.default({}).openapi({
    description:
      'Values of `$name` in the statement, by name: each is bound as what its place expects; dates are texts',
  }),
  as_of: z.string().max(40).optional().openapi({
    description:
      'An instant, as of the metrics: the newest snapshot published by then is asked. It must be kept; to open it takes time, for which the statement has 120 seconds more',
  }),
};

export const runSql = endpoint({
  needs: 'files',
  method: 'post',
  path: '/sql',
  audit: 'sql.run',
  summary:
    'One statement that asks (select, from, with, describe, show, explain) the published snapshot, or a kept one',
  description:
    'It runs in a process of its own without files, network and settings, for as long and with as many rows as `GET /sql/limits` says: by default 30 seconds and 10,000 rows for analysts. For readers who see everything.',
  body: z.strictObject(asked),
  answers: { 200: 'Its rows' },
  schema: SqlResult,
  refusals: { 400: 'What is wrong with it', 503: `${unpublished}, or too many statements wait` },
  refusal: SqlRefusal,
});

/** Their content types. */
export const sqlFileTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
} as const;
export type SqlFileFormat = keyof typeof sqlFileTypes;
const fileFormats = Object.keys(sqlFileTypes) as [SqlFileFormat, ...SqlFileFormat[]];

export const exportSql = endpoint({
  needs: 'files',
  method: 'post',
  path: '/sql/file',
  audit: 'sql.exported',
  summary: 'All rows of a statement as a file: text, a workbook, or columns with types',
  description:
    'It runs as POST /sql does, for four times as long. A file has a hundred times as many rows at most, and 250 MB; more is refused, not cut off. ' +
    'A text that a spreadsheet would run gets a quote in CSV, and is a text in a workbook.',
  body: z.strictObject({ ...asked, format: z.enum(fileFormats) }),
  answers: { 200: 'The file' },
  media: fileFormats.map((format) => sqlFileTypes[format].replace(/;.*/, '')),
  refusals: { 400: 'What is wrong with it', 503: `${unpublished}, or too many statements wait` },
  refusal: SqlRefusal,
});
