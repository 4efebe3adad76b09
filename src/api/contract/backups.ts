// Backups of the installation: when they are made, and how the last ones went.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

const Backups = z
  .object({
    schedule: z
      .object({
        folder: z.string(),
        cron: z.string().openapi({ description: 'in UTC' }),
        kept: z.int().openapi({ description: 'how many stay' }),
      })
      .nullable()
      .openapi({ description: 'null: none are made by themselves' }),
    last: z
      .object({
        id: z.string(),
        made_at: z.iso.datetime(),
        folder: z.string().openapi({ description: 'where it is: a folder of backups, or a file of one' }),
        bytes: z.number().openapi({ description: 'of what it holds' }),
        written: z
          .number()
          .openapi({ description: 'bytes that it added to the folder of backups, or that its file holds' }),
        seconds: z.number(),
        kept: z.int().openapi({ description: 'how many there are' }),
        is_encrypted: z.boolean(),
      })
      .nullable()
      .openapi({ description: 'the last one that was read back whole' }),
    failed: z
      .object({ at: z.iso.datetime(), sentence: z.string() })
      .nullable()
      .openapi({ description: 'later than the last one' }),
    is_late: z.boolean().openapi({ description: 'two were due since the last one' }),
  })
  .openapi('Backups');
export type Backups = z.infer<typeof Backups>;

export const getBackups = endpoint({
  needs: 'pulls:write',
  method: 'get',
  path: '/backups',
  summary: 'When backups are made, and how the last ones went',
  answers: { 200: 'The schedule, the last good backup, and what failed since' },
  schema: Backups,
  refusals: {},
});
