// Builds the app in src/app; the server that hands out its pages is src/server.
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { leaveOut } from './src/app/lib/charts/left-out.ts';
import svelteConfig from './svelte.config.js';

export default defineConfig({
  root: 'src',
  plugins: [leaveOut(), sveltekit(svelteConfig)],
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
