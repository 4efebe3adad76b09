// The targets of a shared page, where panels look for them.
import { sharedTargets } from '#lib/sharing/shared-targets.svelte.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = () => ({ judged: sharedTargets });
