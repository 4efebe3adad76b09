// What an installation is called and looks like.
import type { Hono } from 'hono';
import { product_name } from '#dashboards/brand.ts';
import { getBrand, type Brand } from './contract/brand.ts';
import type { ApiDeps } from './deps.ts';

export function addBrand(app: Hono, { brand }: ApiDeps): void {
  app.get(getBrand.path, (c) => {
    c.header('cache-control', 'no-store');
    return c.json<Brand>({ name: brand?.().name ?? product_name });
  });
}
