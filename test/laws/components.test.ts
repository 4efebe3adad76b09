// Rules of components that ESLint would hold with types: it asks the compiler for the type of every link and property, a third of all lint.
import { readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { sourceFiles } from './tree.ts';

interface Node {
  type: string;
  [part: string]: unknown;
}

const inApp = (): string[] => sourceFiles().filter((file) => file.startsWith('src/app/'));

/** Where a text of a page leads to a path of this app without `resolve`, which says which route it is. The API is no page. */
const unresolved = (text: string): string[] =>
  text.match(/\bhref=\{?["'`]\/(?!\/|api\/)|\b(?:goto|pushState|replaceState)\(\s*["'`]\/(?!\/)/g) ?? [];

test('links and navigation to pages of the app go through resolve', () => {
  const found = inApp().flatMap((file) => unresolved(readFileSync(file, 'utf8')).map((link) => `${file}: ${link}`));
  expect(found).toEqual([]);
  for (const wrong of ['<a href="/queue">', '<a href={`/queue`}>', "goto('/queue')", 'replaceState(`/${id}`, {})'])
    expect([wrong, unresolved(wrong).length]).toEqual([wrong, 1]);
  for (const right of ["<a href={resolve('/queue')}>", '<a href="/api/audit.csv">', "goto(resolve('/queue'))"])
    expect([right, unresolved(right)]).toEqual([right, []]);
});

const nodes = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : []);
const nameOf = (node: unknown): string | undefined => (node as { name?: string; value?: string } | undefined)?.name;

/** Properties that the type of a component's `$props()` names, and that the component does not take. */
function untaken(text: string, filename: string): string[] {
  const { instance } = parse(text, { filename, modern: true });
  const body = nodes((instance?.content as unknown as Node | undefined)?.body);
  const [taking] = body
    .flatMap((node) => (node.type === 'VariableDeclaration' ? nodes(node.declarations) : []))
    .filter(({ init }) => nameOf((init as Node | null)?.callee) === '$props');
  const pattern = taking?.id as Node | undefined;
  if (pattern?.type !== 'ObjectPattern') return [];
  const taken = nodes(pattern.properties);
  if (taken.some(({ type }) => type === 'RestElement')) return [];
  const annotation = (pattern.typeAnnotation as Node | undefined)?.typeAnnotation as Node | undefined;
  const named = body.find(({ id }) => id !== undefined && nameOf(id) === nameOf(annotation?.typeName));
  const members = [
    ...nodes(annotation?.members),
    ...nodes((named?.body as Node | undefined)?.body),
    ...nodes((named?.typeAnnotation as Node | undefined)?.members),
  ];
  const names = new Set(taken.map(({ key }) => nameOf(key)));
  return members.map(({ key }) => nameOf(key)).filter((name) => name !== undefined && !names.has(name)) as string[];
}

test('a component takes every property that it declares', () => {
  const components = inApp().filter((file) => file.endsWith('.svelte'));
  const found = components.flatMap((file) =>
    untaken(readFileSync(file, 'utf8'), file).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
  const declared = (type: string): string => `<script lang="ts">${type}</script>`;
  for (const [text, names] of [
    ['let { a }: { a: string; b?: number } = $props();', ['b']],
    ['interface Props { a: string; b: number } let { a }: Props = $props();', ['b']],
    ['type Props = { a: string; b: number }; let { a = 1, b: c }: Props = $props();', []],
    ['let { a, ...rest }: { a: string; b: number } = $props();', []],
  ] as const)
    expect([text, untaken(declared(text), 'x.svelte')]).toEqual([text, names]);
});
