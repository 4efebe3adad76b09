// Rules of Svelte, for pages, without types. oxlint holds everything else, and scripts of pages too, to the rules of .oxlintrc.json.
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  globalIgnores(['build/', '**/.svelte-kit/', '**/node_modules/', 'data/']),
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    rules: {
      // Pages hold their state in runes. Without stores there is nothing to find for a rule that takes longer than all others
      // together: it asks for the type of every expression of a page.
      'svelte/require-store-reactive-access': 'off',
      // The same for these two, which are a law of the tests (`test/laws/components.test.ts`).
      'svelte/no-navigation-without-resolve': 'off',
      'svelte/no-unused-props': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { extraFileExtensions: ['.svelte'], parser: ts.parser, svelteConfig },
    },
  },
);
