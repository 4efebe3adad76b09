// What an installation is called and looks like; admins change its logo here, name and accent with the settings.
import type { Context, Hono } from 'hono';
import { accentFrom } from '#dashboards/accent.ts';
import { ownBrand } from '#digests/brand.ts';
import { assertSeesAll, readerOf } from './context.ts';
import { getBrand, getLogo, removeLogo, saveLogo, type Brand } from './contract/brand.ts';
import type { ApiDeps, LogoStore } from './deps.ts';
import { Declined } from './errors.ts';
import { logoSizeOf } from './logo.ts';
import { assertOpen } from './settings.ts';
import { bodyOf, queryOf } from './validation.ts';

export function addBrand(app: Hono, deps: ApiDeps): void {
  const now = () => deps.brand?.() ?? ownBrand;
  const told = (): Brand => {
    const { name, accent, logo } = now();
    return {
      name,
      accent: accent === null ? null : accentFrom(accent),
      logo: logo && { version: logo.version, width: logo.width, height: logo.height },
    };
  };
  const storeFor = (c: Context): LogoStore => {
    assertSeesAll(readerOf(c), 'the logo, which everybody sees');
    assertOpen(deps.settings);
    if (!deps.logo) throw new Declined('unavailable', 'this server keeps no logo');
    c.set('changed', 'logo');
    return deps.logo;
  };

  app.get(getBrand.path, (c) => {
    c.header('cache-control', 'no-store');
    return c.json<Brand>(told());
  });

  app.get(getLogo.path, (c) => {
    const { version } = queryOf(c, getLogo.query);
    const { logo } = now();
    if (!logo) throw new Declined('not_found', 'this installation has no logo of its own');
    const etag = `"${logo.version}"`;
    c.header('etag', etag);
    const isNamed = version === logo.version;
    c.header('cache-control', isNamed ? 'public, max-age=31536000, immutable' : 'public, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    c.header('content-type', getLogo.media[0]);
    c.header('x-content-type-options', 'nosniff');
    return c.body(new Uint8Array(logo.png));
  });

  app.put(saveLogo.path, async (c) => {
    const store = storeFor(c);
    const { png } = await bodyOf(c, saveLogo.body);
    const bytes = Buffer.from(png, 'base64');
    const size = logoSizeOf(bytes);
    if ('wrong' in size) throw new Declined('bad_request', `png: ${size.wrong}`);
    store.save(bytes);
    return c.json<Brand>(told());
  });

  app.delete(removeLogo.path, (c) => {
    storeFor(c).remove();
    return c.body(null, 204);
  });
}
