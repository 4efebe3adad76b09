// Hands who asks, the theme and language that they read in, and how long a page waits for its answers to the pages.
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = ({ locals, platform }) => ({
  theme: locals.theme,
  locale: locals.locale,
  me: locals.me,
  page_wait_ms: platform?.req.chatledgerWait?.() ?? null,
});
