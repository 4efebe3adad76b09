// What an installation is called and looks like: everybody may know, for pages say it before anybody has signed in.
import { z } from '@hono/zod-openapi';
import { most_logo_bytes } from '#dashboards/brand.ts';
import { endpoint, unchanged } from './endpoint.ts';

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
    logo: z
      .object({ version: z.string(), width: z.int(), height: z.int() })
      .nullable()
      .openapi({ description: 'Size in pixels, and the version that its address names; null: none is set' }),
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

export const getLogo = endpoint({
  needs: 'nothing',
  method: 'get',
  path: '/brand/logo',
  summary: 'The logo of this installation',
  query: z.object({
    version: z.string().optional().openapi({ description: 'As `GET /brand` names it: then it is kept for a year' }),
  }),
  answers: { 200: 'The picture', 304: unchanged },
  media: ['image/png'],
  refusals: { 400: 'There is no such parameter', 404: 'There is none' },
});

export const saveLogo = endpoint({
  needs: 'settings:write',
  method: 'put',
  path: '/brand/logo',
  audit: 'settings.changed',
  summary: 'Gives this installation a logo, in place of the one before',
  description: 'It stands on pages and on the first page of PDFs, and is kept as `logo.png` in the data folder.',
  body: z.strictObject({
    png: z.base64({ error: 'must be base64' }).openapi({
      description: `A PNG of at most ${most_logo_bytes / 1000} kB, 16 to 1024 pixels wide and high`,
    }),
  }),
  answers: { 200: 'As it is now' },
  schema: Brand,
  refusals: {
    400: 'It is no such picture; nothing is changed',
    503: 'This server keeps none',
  },
});

export const removeLogo = endpoint({
  needs: 'settings:write',
  method: 'delete',
  path: '/brand/logo',
  audit: 'settings.changed',
  summary: 'Removes the logo: the mark of the product takes its place',
  answers: { 204: 'It is gone' },
  refusals: { 503: 'This server keeps none' },
});
