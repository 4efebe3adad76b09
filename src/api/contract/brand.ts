// What an installation is called and looks like: everybody may know, for pages say it before anybody has signed in.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

const Brand = z
  .object({ name: z.string().openapi({ description: 'Stands in titles, on pages and in documents' }) })
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
