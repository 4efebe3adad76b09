// The disk of the data folder: what takes it, how that grows, and when it is full.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

const growth = (days: number) =>
  z
    .number()
    .nullable()
    .openapi({ description: `bytes a day over the last ${days} days; null while fewer are known` });

const Disk = z
  .object({
    size: z.number().openapi({ description: 'bytes of the whole disk' }),
    free: z.number(),
    kinds: z.array(
      z.object({
        kind: z
          .string()
          .openapi({ description: 'such as raw_archive, snapshots; backups: where they lie on this disk' }),
        bytes: z.number(),
        growth_7: growth(7),
        growth_30: growth(30),
      }),
    ),
    forecast: z.object({
      state: z.enum(['too_early', 'not_growing', 'growing']).openapi({
        description: 'not_growing: not full within ten years either',
      }),
      growth: z.number().nullable().openapi({
        description: 'bytes a day of the whole disk, other programs included; null: too early to say',
      }),
      full_on: z.iso.date().nullable().openapi({ description: 'UTC; null unless it grows' }),
      over_days: z.int().openapi({ description: 'at most 30, from which this follows; at least 7 are needed' }),
    }),
  })
  .openapi('Disk');
export type Disk = z.infer<typeof Disk>;

export const getDisk = endpoint({
  needs: 'pulls:write',
  method: 'get',
  path: '/disk',
  summary: 'What takes the disk by kind, how it grows, and the day on which it is full',
  answers: { 200: 'Sizes now, growth, forecast' },
  schema: Disk,
  refusals: {},
});
