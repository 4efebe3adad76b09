// Builds the app in src/app; the server that hands out its pages is src/server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { leaveOut } from './src/app/lib/charts/left-out.ts';
import svelteConfig from './svelte.config.js';

/**
 * What is loaded together is one file, with what it imports: fifty small ones are a tenth larger when compressed. What is loaded on a press,
 * or by one page alone, stays apart.
 * TRICKY: what the frame loads on a press must not import a file with styles that a page begins with, or SvelteKit leaves these out of the page:
 * components are apart from the modules that they share.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  // Every page: the frame around it, and what runs pages.
  frame: [
    ...['app/routes/+layout.svelte', 'app/routes/+layout.ts', 'app/routes/+error.svelte'],
    ...['PageLayout', 'PaletteButton', 'Freshness', 'AccountSwitch'].map((name) => `app/lib/frame/${name}.svelte`),
  ],
  // Pages with filters or numbers.
  numbers: [
    ...['drill/addresses', 'page-filters', 'metric-question', 'open-why', 'why-address', 'panel/names'].map(
      (name) => `app/lib/${name}.ts`,
    ),
    ...['numbers', 'comparison', 'words'].map((name) => `dashboards/${name}.ts`),
  ],
  filters: ['app/lib/filter/FilterBar.svelte'],
  // Pages with panels.
  pictures: ['draw', 'tile', 'drawable'].map((name) => `dashboards/pictures/${name}.ts`),
  panels: ['Panel', 'Tile'].map((name) => `app/lib/panel/${name}.svelte`),
};

/** Of a package: what runs pages belongs to the frame. */
const runtime = /runtime[\\/]client[\\/]client\.js$/;

/** Ids of modules have a query behind the path. */
function isIn(files: readonly string[]): (id: string) => boolean {
  const paths = files.map((file) => join(import.meta.dirname, 'src', file));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new Error(`vite.config.ts puts ${missing} into a file of the build: there is no such module`);
  return (id) => paths.includes(id.split('?')[0] ?? '');
}

const together = Object.entries(groups).map(([name, files], index, { length }) => {
  const isListed = isIn(files);
  return {
    name,
    test: (id: string) => isListed(id) || (name === 'frame' && runtime.test(id)),
    priority: length - index,
  };
});

export default defineConfig({
  root: 'src',
  plugins: [leaveOut(), sveltekit(svelteConfig)],
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: together } } } } } },
});
