// Hands the pages what the installation is called, who asks, the theme and language that they read in, and how long a page waits for its
// answers.
import { call } from '#lib/api.ts';
import { brandChanged, ownBrand } from '#lib/frame/brand.ts';
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = async ({ locals, platform, fetch, depends }) => {
  depends(brandChanged);
  const found = await call(fetch, 'GET /brand');
  return {
    brand: found.kind === 'answered' ? found.answer : ownBrand,
    theme: locals.theme,
    locale: locals.locale,
    me: locals.me,
    page_wait_ms: platform?.req.chatledgerWait?.() ?? null,
  };
};
