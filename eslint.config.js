// Rules of Svelte, for pages. oxlint holds everything else, and scripts of pages too, to the rules of .oxlintrc.json.
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  globalIgnores(['build/', '**/.svelte-kit/', '**/node_modules/', 'data/']),
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    // It asks for the type of every address, a minute and a half of a processor: a test holds pages to resolve() by their text.
    rules: { 'svelte/no-navigation-without-resolve': 'off' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { globals: globals.browser, parserOptions: { parser: ts.parser, svelteConfig } },
  },
);
