// Files of deployment say what is: settings, ports, paths and commands in them are those of the program.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import { digestLinks } from '#api/digest-links.ts';
import { commandLine } from '#server/promised.ts';
import { settings, type SettingDefinition } from '#server/settings.ts';
import { trackedFiles } from './tree.ts';

const files = [
  'Dockerfile',
  'compose.yml',
  'docs/deploy.md',
  ...trackedFiles().filter((file) => /^docs\/deploy\//.test(file)),
];
const textOf = (file: string): string => readFileSync(file, 'utf8');
const known: Readonly<Record<string, SettingDefinition>> = settings;

/** Read by the proxy and by `compose.yml`, not by the program. */
const of_compose = 'CHATLEDGER_DOMAIN';

function isSetting(name: string): boolean {
  const secret = /^(.*)_FILE$/.exec(name)?.[1];
  return name === of_compose || name in known || (secret !== undefined && known[secret]?.is_secret === true);
}

test.each(files)('%s names settings that there are', (file) => {
  const named = [...textOf(file).matchAll(/\bCHATLEDGER_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !isSetting(name))).toEqual([]);
});

test('values of settings in them are possible ones', () => {
  const given = files.flatMap((file) =>
    [...textOf(file).matchAll(/\b(CHATLEDGER_[A-Z_]+)(?:=|: )([^\s`]+)/g)].map(([, name = '', value = '']) => ({
      file,
      name,
      value,
    })),
  );
  const literal = given.filter(({ name, value }) => name in known && !/[$%{]/.test(value));
  expect(literal.length).toBeGreaterThan(8);
  expect(
    literal.flatMap(({ file, name, value }) => (known[name]?.wrong?.(value) ? [`${file}: ${name}=${value}`] : [])),
  ).toEqual([]);
});

test.each(files)('%s names ports that are open by default', (file) => {
  const port = Number(settings.CHATLEDGER_PORT.default);
  const ports = [...textOf(file).matchAll(/\b(?:127\.0\.0\.1|chatledger|localhost):(\d{2,5})\b/g)].map(
    ([, number]) => number,
  );
  const exposed = /^EXPOSE (.*)$/m.exec(textOf(file))?.[1]?.split(' ') ?? [];
  const open = [String(port), String(port + 1)];
  expect([...ports, ...exposed].filter((number) => !open.includes(String(number)))).toEqual([]);
});

test('paths of the API in them are answered', () => {
  const paths = new Set(contract.map(({ path }) => `/api${path}`));
  const named = files.flatMap((file) => [...textOf(file).matchAll(/\/api\/[\w-]+/g)].map(([path]) => path));
  const isKnown = (path: string): boolean =>
    paths.has(path) || (path === '/api/digest-' && digestLinks.test('/api/digest-files/a.b'));
  expect(named.filter((path) => path.startsWith('/api/ready')).length).toBeGreaterThan(1);
  expect(named.filter((path) => !isKnown(path))).toEqual([]);
});

test('commands in them are commands', () => {
  const program = commandLine();
  const named = files.flatMap((file) =>
    [...textOf(file).matchAll(/chatledger\.js"?,? "?([a-z-]+)/g)].map(([, name]) => name),
  );
  expect(named).toContain('start');
  expect(named.filter((name) => !program.includes(`.command('${name}')`))).toEqual([]);
});

test('the image holds every room of the program, and nothing else is sent to its build', () => {
  const { imports } = JSON.parse(textOf('package.json')) as { imports: Record<string, string> };
  const rooms = [...new Set(Object.values(imports).map((path) => path.split('/')[1] ?? ''))];
  const copied = [...textOf('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const sent = [...textOf('.dockerignore').matchAll(/^!(.*)$/gm)].map(([, name]) => name);
  expect(copied).toEqual(expect.arrayContaining(rooms));
  expect(copied.filter((name) => !existsSync(name))).toEqual([]);
  expect(sent.toSorted()).toEqual(copied.toSorted());
});

test('every volume of the composition is a folder of the image that its user owns', () => {
  const [, targets = ''] = /^ {4}volumes: \[('data:[^\]]*)\]$/m.exec(textOf('compose.yml')) ?? [];
  const mounted = [...targets.matchAll(/'\w+:(\/\w+)'/g)].map(([, path]) => path);
  const [, user, made = ''] = /install -d -o (\d+) -g \1 -m 0700 (.*)$/m.exec(textOf('Dockerfile')) ?? [];
  expect(mounted).toContain('/data');
  expect(mounted).toEqual(made.split(' '));
  expect(textOf('Dockerfile')).toContain(`USER ${user}:${user}`);
});

test('neither the image nor the unit shows a simulated account in place of one that nobody set', () => {
  for (const file of ['Dockerfile', 'docs/deploy/chatledger.service'])
    expect([file, textOf(file)]).toEqual([file, expect.stringContaining('CHATLEDGER_EMBEDDED_SERVICE=off')]);
});

test('the unit runs the program as another user who may write to its own folders only', () => {
  const unit = textOf('docs/deploy/chatledger.service');
  expect(unit).toMatch(/^User=chatledger$/m);
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=', 'UMask=0077'])
    expect(unit.split('\n')).toContain(line);
  const [, data] = /^Environment=CHATLEDGER_DATA=\/var\/lib\/(\S+)$/m.exec(unit) ?? [];
  expect(unit.split('\n')).toContain(`StateDirectory=${data}`);
});
