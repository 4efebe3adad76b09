// What an installation is called and looks like: everybody may know, for pages say it before anybody has signed in.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

const colour = z.string().regex(/^#[0-9a-f]{6}$/);

const colours = z.object({
  accent: colour,
  soft: colour.openapi({ description: 'Behind what is chosen' }),
  on_accent: colour.openapi({ description: 'Of what stands on the accent' }),
});

const Brand = z
  .object({
    name: z.string().openapi({ description: 'Stands in titles, on pages and in documents' }),
    accent: z.object({ light: colours, dark: colours }).nullable().openapi({
      description: 'Follows from the colour that was set, so that text can be read; null: none is set',
    }),
  })
  .openapi('Brand');
export type Brand = z.infer<typeof Brand>;

export const getBrand = endpoint({
  needs: 'nothing',
  method: 'get',
  path: '/brand',
  summary: 'What this installation is called and looks like',
  answers: { 200: 'As it is now' },
  schema: Brand,
  refusals: {},
});
