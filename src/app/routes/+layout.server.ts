// Hands the reader's theme and language, read from the request, to the pages.
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = ({ locals }) => ({ theme: locals.theme, locale: locals.locale });
