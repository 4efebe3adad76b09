import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/** The same for all files: otherwise the program of types is made anew with every change from one kind to the other. */
const extraFileExtensions = ['.svelte'];

export default defineConfig(
  globalIgnores(['build/', '**/.svelte-kit/', '**/node_modules/', 'data/']),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      'no-undef': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Pages hold their state in runes. Without stores there is nothing to find for a rule that takes longer than all others
      // together: it asks for the type of every expression of a page.
      'no-restricted-imports': ['error', 'svelte/store', '$app/stores'],
      'svelte/require-store-reactive-access': 'off',
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['**/*.svelte.ts'],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions } },
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions, parser: ts.parser, svelteConfig },
    },
  },
);
