// What an installation is called and looks like.
import type { Hono } from 'hono';
import { accentFrom } from '#dashboards/accent.ts';
import { ownBrand } from '#digests/brand.ts';
import { getBrand, type Brand } from './contract/brand.ts';
import type { ApiDeps } from './deps.ts';

export function addBrand(app: Hono, { brand }: ApiDeps): void {
  app.get(getBrand.path, (c) => {
    c.header('cache-control', 'no-store');
    const { name, accent } = brand?.() ?? ownBrand;
    return c.json<Brand>({ name, accent: accent === null ? null : accentFrom(accent) });
  });
}
