// SvelteKit options; vite.config.ts hands them to the plugin and eslint reads them too.
import adapter from '@sveltejs/adapter-node';

/** @type {import('@sveltejs/kit/vite').Config} */
export default {
  adapter: adapter({ out: 'build', precompress: true }),
  outDir: '../.svelte-kit',
  // A page without a stylesheet to wait for shows its numbers a second earlier on a phone.
  inlineStyleThreshold: 20_000,
  files: { src: 'app', assets: 'app/static' },
  compilerOptions: {
    runes: ({ filename }) => (filename.split(/[/\\]/).includes('node_modules') ? undefined : true),
  },
  csp: {
    mode: 'auto',
    directives: {
      'default-src': ['self'],
      'style-src': ['self', 'unsafe-inline'],
      'img-src': ['self', 'data:'],
      'object-src': ['none'],
      'base-uri': ['none'],
      'frame-ancestors': ['none'],
    },
  },
};
