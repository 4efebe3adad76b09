// Hands who asks, and the theme and language that they read in, to the pages.
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = ({ locals }) => ({
  theme: locals.theme,
  locale: locals.locale,
  me: locals.me,
});
