// Folders of a room that import each other in a circle, directly or through others, and files that do so when they run.
import { specifiersOf, targetOf, valueSpecifiersOf } from './arrows.ts';
import { sourceFiles } from './tree.ts';

export interface Import {
  from: string;
  to: string;
}

/** Rooms whose folders may not import in a circle, types included. */
export const roomsOfFolders = [
  'livechat/service',
  'livechat/contract',
  'warehouse',
  'etl',
  'src/reports',
  'src/dashboards',
  'src/digests',
  'src/api',
  'src/server',
  'src/app/lib',
];

interface Loop {
  room: string;
  /** In order; a file that stands in the room itself counts as a folder of its own. */
  folders: string;
  /** The imports that make it. */
  imports: string[];
}

const importsOf = (specifiers: (file: string) => string[], files: readonly string[]): Import[] =>
  files.flatMap((from) =>
    specifiers(from).flatMap((specifier) => {
      const to = targetOf(from, specifier);
      return to === undefined ? [] : [{ from, to }];
    }),
  );

/** Files of the root that go in a circle among themselves are no loop of folders. */
export function folderLoops(room: string): Loop[] {
  const isInside = (file: string): boolean => file.startsWith(`${room}/`);
  const folderOf = (file: string): string => file.slice(room.length + 1).split('/')[0] ?? '';
  const inside = importsOf(specifiersOf, sourceFiles().filter(isInside)).filter(({ to }) => isInside(to));
  const between = inside.filter(({ from, to }) => folderOf(from) !== folderOf(to));
  return circlesIn(between.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) })))
    .filter((circle) => circle.some((name) => !name.includes('.')))
    .map((circle) => {
      const isOfCircle = (file: string): boolean => circle.includes(folderOf(file));
      const imports = between.filter(({ from, to }) => isOfCircle(from) && isOfCircle(to));
      return { room, folders: circle.join(', '), imports: imports.map(({ from, to }) => `${from} -> ${to}`) };
    });
}

/** Files that import each other, and not only their types. */
export const fileLoops = (): string[] =>
  circlesIn(importsOf(valueSpecifiersOf, sourceFiles())).map((circle) => circle.join(', '));

/** Names that lead back to themselves, those of one circle together and in order. */
export function circlesIn(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const reached = new Map([...next.keys()].map((name) => [name, reachedFrom(name, next)]));
  const round = [...reached.keys()].filter((name) => reached.get(name)?.has(name)).sort();
  const circleOf = (name: string): string[] =>
    round.filter((other) => reached.get(name)?.has(other) && reached.get(other)?.has(name));
  return round.map(circleOf).filter((circle, place) => circle[0] === round[place]);
}

function reachedFrom(name: string, next: ReadonlyMap<string, readonly Import[]>): Set<string> {
  const reached = new Set<string>();
  const open = [name];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { to } of next.get(at) ?? [])
      if (!reached.has(to)) {
        reached.add(to);
        open.push(to);
      }
  return reached;
}
