// The rules of the house that no compiler holds.
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { arrows, forbiddenArrows, roomOf, specifiersOf, targetOf, valueSpecifiersOf } from './arrows.ts';
import { circlesIn, fileLoops, folderLoops, roomsOfFolders } from './loops.ts';
import { sourceFiles, trackedFiles } from './tree.ts';

const textOf = (file: string): string => readFileSync(file, 'utf8');
/** Lines of code: comments may say what code may not. */
const codeOf = (file: string): string =>
  textOf(file)
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .join('\n');
const offenders = (files: readonly string[], word: RegExp): string[] => files.filter((file) => word.test(codeOf(file)));

describe('arrows between rooms', () => {
  test('every source file stands in a room', () => {
    expect(sourceFiles().filter((file) => !roomOf(file))).toEqual([]);
  });
  test('no import goes against the river', () => {
    expect(forbiddenArrows()).toEqual([]);
  });
  test('the law sees a forbidden import', () => {
    expect(arrows['livechat/service']).not.toContain('warehouse');
    expect(targetOf('etl/pull.ts', '#warehouse/engine.ts')).toBe('warehouse/engine.ts');
    expect(specifiersOf('etl/pull.ts')).toContain('#warehouse/engine.ts');
  });
  test('pages take types of the contract of the API, nothing that runs', () => {
    const running = sourceFiles()
      .filter((file) => file.startsWith('src/app/'))
      .flatMap((file) =>
        valueSpecifiersOf(file)
          .filter((name) => name.startsWith('#api/'))
          .map((name) => `${file} -> ${name}`),
      );
    expect(running).toEqual([]);
  });
  test('the contract imports nothing but zod', () => {
    const isOwn = (file: string, name: string): boolean =>
      name.startsWith('.') && join(dirname(file), name).startsWith('livechat/contract/');
    const foreign = sourceFiles()
      .filter((file) => file.startsWith('livechat/contract/'))
      .flatMap((file) => specifiersOf(file).filter((name) => name !== 'zod' && !isOwn(file, name)));
    expect(foreign).toEqual([]);
  });
});

describe('exports', () => {
  /** Names that a file gives, and those that each file of code mentions, comments apart. */
  const given = (file: string): string[] =>
    [
      ...textOf(file).matchAll(
        /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type|enum) ([\w$]+)/gm,
      ),
    ].map(([, name = '']) => name);
  const mentioned = (text: string): Set<string> =>
    new Set(text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '').match(/[A-Za-z_$][\w$]*/g));
  /** Their names are those by which the framework calls them. */
  const isCalledByFramework = (file: string): boolean => /(^|\/)\+|\/hooks\./.test(file);

  test('what a file exports another file reads, types included', () => {
    const code = trackedFiles().filter((file) => /\.(ts|svelte|js|mjs)$/.test(file));
    const files = new Map<string, number>();
    for (const file of code) for (const name of mentioned(textOf(file))) files.set(name, (files.get(name) ?? 0) + 1);
    const unread = sourceFiles()
      .filter((file) => file.endsWith('.ts') && !isCalledByFramework(file))
      .flatMap((file) => given(file).flatMap((name) => ((files.get(name) ?? 0) < 2 ? [`${file}: ${name}`] : [])));
    expect(unread).toEqual([]);
  });
  test('the law sees a name that is read, and none in a comment', () => {
    expect(given('test/laws/tree.ts')).toEqual(['trackedFiles', 'sourceFiles']);
    expect([...mentioned('a(b); // c\n/* d */ e')]).toEqual(['a', 'b', 'e']);
  });
});

describe('loops', () => {
  test('no folder of a room imports one that imports it, directly or through others', () => {
    expect(roomsOfFolders.flatMap(folderLoops)).toEqual([]);
  });
  test('no file imports itself in a circle, but for types', () => {
    expect(fileLoops()).toEqual([]);
  });
  test('the law sees a loop', () => {
    const imports = ['a b', 'b c', 'c a', 'c d', 'd e', 'e e', 'x a'].map((each) => each.split(' '));
    expect(circlesIn(imports.map(([from = '', to = '']) => ({ from, to })))).toEqual([['a', 'b', 'c'], ['e']]);
    expect(valueSpecifiersOf('etl/unit.ts')).toContain('#contract/reports.ts');
    expect(valueSpecifiersOf('etl/unit.ts')).not.toContain('./source.ts');
  });
});

describe('words that stand in one place only', () => {
  test('engines are named in warehouse/engines and the settings only', () => {
    const allowed =
      /^(warehouse\/engines\/|src\/server\/(config|settings|folder|snapshots)\.ts|warehouse\/store\/open\.ts)/;
    const files = sourceFiles().filter((file) => !allowed.test(file));
    const named = offenders(files, /duckdb|clickhouse/i).filter((file) => !onlyFileEndings(file));
    expect(named).toEqual([]);
  });
  test('statements over the warehouse stand in warehouse/ only', () => {
    // Pages tell users which statements they may write.
    const files = sourceFiles().filter((file) => !/^(warehouse|src\/app)\//.test(file));
    const table = /\b(from|join|into|update)\s+(facts|ledger|raw|reports|account)\.(\w|\$\{)/i;
    expect(offenders(files, table)).toEqual([]);
    expect(offenders(files, /\b(engine|archive|store)\.(query|queryInPieces|exec)\(/)).toEqual([]);
  });
  test('words of a dialect stand in warehouse/engines only', () => {
    const files = sourceFiles().filter((file) => !file.startsWith('warehouse/engines/') && file.endsWith('.ts'));
    const words =
      /\b(epoch|datediff|date_trunc|strftime|make_timestamp|quantile_cont|starts_with|arg_max|isodow)\(|\border by all\b|\blist_\w+\(/i;
    expect(offenders(files, words)).toEqual([]);
  });
  test('the laws of statements see one', () => {
    expect(offenders(['warehouse/read/chats.ts'], /from facts\.(\w|\$\{)/)).toEqual(['warehouse/read/chats.ts']);
  });
  test('numbers are compared in src/dashboards, and elsewhere only taken on or listed beside each other', () => {
    const faces = sourceFiles().filter((file) => file.startsWith('src/') && !file.startsWith('src/dashboards/'));
    expect(offenders(faces, /\bcompare\??\.rows\b/).toSorted()).toEqual([
      'src/api/assistant-tools/metrics.ts',
      'src/app/lib/why/numbers.ts',
      'src/digests/agents-file.ts',
      'src/digests/change.ts',
      'src/digests/tables/sheets.ts',
    ]);
    const verdict = /no clear change|\b(shares|counts|pairs)Differ\b/i;
    expect(offenders(faces, verdict)).toEqual([]);
    expect(offenders(['src/dashboards/words.ts', 'src/dashboards/chance.ts'], verdict)).toHaveLength(2);
  });
  test('process.env is read in config.ts only, and handed on by environment.ts', () => {
    expect(offenders(sourceFiles(), /process\.env/)).toEqual(['src/server/config.ts', 'src/server/environment.ts']);
  });
  test('terminal.ts alone writes to the terminal and to the log', () => {
    const written =
      /\bprocess\.(stdout|stderr)\b|\bconsole\s*(\[|\.(?!ts\b))|_rawDebug|\b(stdout|stderr)\b.*from '(node:)?process'/;
    expect(offenders(sourceFiles(), written)).toEqual(['src/server/terminal.ts']);
  });
  test('cron is scheduled in schedule.ts only', () => {
    expect(offenders(sourceFiles(), /from 'node-cron'/)).toEqual(['src/server/schedule.ts']);
  });
  test('clock and randomness are arguments outside the server and the pages', () => {
    const files = sourceFiles().filter((file) =>
      /^(warehouse|etl|livechat\/contract|src\/dashboards|livechat\/service\/(reports|world|archive))\//.test(file),
    );
    const allowed = new Set(['warehouse/store/open.ts', 'etl/fetch/fetch.ts']);
    expect(offenders(files, /Date\.now\(|Math\.random\(|new Date\(\)/).filter((file) => !allowed.has(file))).toEqual(
      [],
    );
  });
  test('only src/api/errors.ts speaks HTTP status codes of refusals', () => {
    const files = sourceFiles().filter((file) => file.startsWith('warehouse/') || file.startsWith('src/dashboards/'));
    expect(offenders(files, /\bstatus: ?[45]\d\d\b/)).toEqual([]);
  });
});

/** File names such as `snapshots/<id>.duckdb` are a promise to users, not an engine's name in code. */
const onlyFileEndings = (file: string): boolean =>
  !/duckdb|clickhouse/i.test(codeOf(file).replaceAll(/\.duckdb\b/g, ''));

describe('names and files', () => {
  test('a type of a general name means one thing', () => {
    const declared = sourceFiles().flatMap((file) =>
      [
        ...codeOf(file).matchAll(
          /^(?:export )?(?:interface|type) (Answer|Asked|Kept|Reading|Made|Means|Moment|Noted|Told|Wanted|Whose|Written)\b/gm,
        ),
      ].map(([, name]) => name),
    );
    expect(declared.filter((name, at) => declared.indexOf(name) !== at)).toEqual([]);
  });
  test('there is no drawer folder or file', () => {
    const drawer = /(^|\/)(utils?|helpers?|common|shared|misc|types)(\/|\.(ts|js|svelte)$)/;
    expect(trackedFiles().filter((file) => drawer.test(file))).toEqual([]);
  });
  test('every source file begins with a sentence that says what it is', () => {
    const starts = /^(#!.*\n)?(\/\/|\/\*\*|<!--|<script[^>]*>\s*(\/\/|\/\*\*))/;
    expect(sourceFiles().filter((file) => !starts.test(textOf(file)))).toEqual([]);
  });
  test('no source file is longer than 500 lines', () => {
    expect(sourceFiles().filter((file) => textOf(file).split('\n').length > 500)).toEqual([]);
  });
  test('nothing is left behind', () => {
    const left = /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-nocheck|\.only\(|console\.log\(/;
    expect(offenders(sourceFiles(), left)).toEqual([]);
  });
  test('program, tests and pages take `__proto__` away from all objects before they load anything else', () => {
    expect(specifiersOf('src/server/chatledger.ts')[0]).toBe('./without-proto.ts');
    // What names the cache comes before it: of the program it loads one file, which loads nothing.
    expect(specifiersOf('src/server/chatledger.js')).toEqual(['./compile-cache.js', './chatledger.ts']);
    expect(specifiersOf('src/server/compile-cache.js')).toEqual(['node:module', 'node:path', './environment.ts']);
    expect(specifiersOf('src/server/environment.ts')).toEqual([]);
    expect(Object.hasOwn(Object.prototype, '__proto__')).toBe(false);
    const [, first = ''] = /<script[^>]*>([^]*?)<\/script>/.exec(textOf('src/app/app.html')) ?? [];
    expect(first).toContain('delete Object.prototype.__proto__');
    expect(textOf('src/app/app.html').indexOf('<script')).toBeLessThan(
      textOf('src/app/app.html').indexOf('%sveltekit.head%'),
    );
  });
  test('chat text never becomes markup: no {@html} in the app', () => {
    expect(offenders(sourceFiles(), /\{@html/)).toEqual([]);
  });
});
