// Builds the app in src/app; the server that hands out its pages is src/server.
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
const together = [
  // Every page: the frame around it, and what runs pages.
  {
    name: 'frame',
    test: /runtime[\\/]client[\\/]client\.js|routes[\\/]\+(layout|error)\.|lib[\\/]frame[\\/](PaletteButton|Freshness|AccountSwitch)/,
  },
  // Pages with filters or numbers.
  {
    name: 'numbers',
    test: /lib[\\/](drill[\\/]addresses|filtered|metric-question|open-why|why-address|panel[\\/]names)\.ts|dashboards[\\/](numbers|comparison|words)\.ts/,
  },
  { name: 'filters', test: /lib[\\/]filter[\\/]FilterBar\.svelte/ },
  // Pages with panels.
  { name: 'pictures', test: /dashboards[\\/]pictures[\\/](draw|tile|drawable)\.ts/ },
  { name: 'panels', test: /lib[\\/]panel[\\/](Panel|Tile)\.svelte/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

export default defineConfig({
  root: 'src',
  plugins: [leaveOut(), sveltekit(svelteConfig)],
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: together } } } } } },
});
