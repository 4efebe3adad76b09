// The typesetter (Typst as WebAssembly): loaded once, one document at a time, nothing left of the one before.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { CompileFormatEnum, createTypstCompiler, type TypstCompiler } from '@myriaddreamin/typst.ts/compiler';
import { loadFonts } from '@myriaddreamin/typst.ts/options.init';
import { fonts } from './fonts.ts';

const wasm = '@myriaddreamin/typst-ts-web-compiler/wasm';
/** What a document looks like; `frame` is what all of them share. */
export type Template = 'document' | 'agents';
const textOf = (template: Template | 'frame'): Promise<string> =>
  readFile(new URL(`./${template}.typ`, import.meta.url), 'utf8');

let loaded: Promise<TypstCompiler> | undefined;
/** TRICKY: the compiler holds the files of one document; a concurrent second one would mix with it. */
let last: Promise<unknown> = Promise.resolve();

async function load(): Promise<TypstCompiler> {
  const module = await readFile(createRequire(import.meta.url).resolve(wasm));
  const compiler = createTypstCompiler();
  await compiler.init({
    getModule: () => module,
    // TRICKY: the package hands its module over in a way that its own loader warns about.
    getWrapper: async () => {
      const wrapper = await import('@myriaddreamin/typst-ts-web-compiler');
      return { ...wrapper, default: (module_or_path: BufferSource) => wrapper.default({ module_or_path }) };
    },
    beforeBuild: [loadFonts(fonts(), { assets: false })],
  });
  return compiler;
}

/** The template's files by absolute path; it reads `/document.json`, and `/logo.png` where that says so. */
async function set(files: ReadonlyMap<string, string>, template: Template, logo?: Uint8Array): Promise<Uint8Array> {
  const compiler = await (loaded ??= load());
  const [source, frame] = await Promise.all([textOf(template), textOf('frame')]);
  try {
    compiler.addSource('/frame.typ', frame);
    compiler.addSource('/document.typ', source);
    for (const [path, text] of files) compiler.mapShadow(path, Buffer.from(text));
    if (logo) compiler.mapShadow('/logo.png', logo);
    const { result, diagnostics } = await compiler.compile({
      mainFilePath: '/document.typ',
      format: CompileFormatEnum.pdf,
      diagnostics: 'full',
    });
    if (!result) throw new Error(`the document could not be typeset: ${JSON.stringify(diagnostics)}`);
    return result;
  } finally {
    compiler.resetShadow();
  }
}

/** A tagged PDF. Documents are typeset one at a time. */
export function typeset(
  files: ReadonlyMap<string, string>,
  template: Template,
  logo?: Uint8Array,
): Promise<Uint8Array> {
  const mine = last.then(
    () => set(files, template, logo),
    () => set(files, template, logo),
  );
  last = mine.catch(() => undefined);
  return mine;
}
