// The fonts of a document: one for Latin, Greek and Cyrillic, one for Hebrew and Arabic, and one that has every other script.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { trueTypeOf } from './woff.ts';

const { resolve } = createRequire(import.meta.url);
const read = (name: string): Buffer => readFileSync(resolve(name));

/** In fallback order for missing glyphs; names as in the font files. */
export const families = ['Inter', 'DejaVu Sans', 'UnifontExMono'];

/** TrueType files. */
export const fonts = (): Uint8Array[] => [
  ...['400Regular/Inter_400Regular', '500Medium/Inter_500Medium', '600SemiBold/Inter_600SemiBold'].map((name) =>
    read(`@expo-google-fonts/inter/${name}.ttf`),
  ),
  trueTypeOf(read('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff')),
  trueTypeOf(read('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff')),
  trueTypeOf(read('@fontsource/unifontex/files/unifontex-latin-400-normal.woff')),
];
