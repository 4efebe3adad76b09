// Faults of the content that any record can have: a field too many, too few, or of another type.
import type { Fault, FaultContext } from './fault.ts';
import { content, leavesOf, put, recordsOf, shapeOf, speaksOf, type Json, type Leaf } from './records.ts';

const anyRecord = speaksOf('report', 'archive', 'chat', 'threads', 'list', 'item');

const shuffled = <T>(list: readonly T[], { random }: FaultContext): T[] =>
  list
    .map((value): [number, T] => [random.word(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

/** Tries changes of one random record until one makes it another shape than the contract's; the others are taken back. */
function breakOne(
  body: Json | unknown[],
  scene: FaultContext,
  changes: (record: Json) => Iterable<() => () => void>,
): boolean {
  const shape = shapeOf(scene.question);
  const records = recordsOf(scene.question, body);
  if (!shape || records.length === 0) return false;
  const record = scene.random.pick(records);
  for (const change of changes(record)) {
    const takeBack = change();
    if (!shape.safeParse(record).success) return true;
    takeBack();
  }
  return false;
}

/** Gives each leaf that `other` names a new value, in random order. */
const replacing = (scene: FaultContext, other: (leaf: Leaf) => unknown) => (record: Json) =>
  shuffled([...leavesOf(record)], scene).flatMap((leaf) => {
    const value = other(leaf);
    if (value === undefined) return [];
    return [
      () => {
        put(leaf, value);
        return () => put(leaf, leaf.value);
      },
    ];
  });

const withoutField = (scene: FaultContext) => (record: Json) =>
  shuffled(Object.keys(record), scene).map((key) => () => {
    const value = record[key];
    delete record[key];
    return () => void (record[key] = value);
  });

function otherType({ value }: Leaf): unknown {
  if (typeof value === 'number') return 'many';
  if (typeof value === 'string') return { value };
  return typeof value === 'boolean' ? 'yes' : undefined;
}

const count = ({ value }: Leaf): boolean => typeof value === 'number' && Number.isInteger(value);

/** Changes one random leaf of a random record where `other` has a new value for it. */
function changeOne(body: Json | unknown[], scene: FaultContext, other: (leaf: Leaf) => unknown): boolean {
  const leaves = recordsOf(scene.question, body).flatMap((record) => [...leavesOf(record)]);
  const fitting = leaves.filter((leaf) => other(leaf) !== undefined);
  if (fitting.length === 0) return false;
  const leaf = scene.random.pick(fitting);
  put(leaf, other(leaf));
  return true;
}

export const fields = {
  wrong_type: content('visible', 'a field of one record has another type', anyRecord, (body, scene) =>
    breakOne(body, scene, replacing(scene, otherType)),
  ),
  null_field: content('visible', 'a field that must be there is null', anyRecord, (body, scene) =>
    breakOne(
      body,
      scene,
      replacing(scene, ({ value }) => (value === null ? undefined : null)),
    ),
  ),
  missing_field: content('visible', 'a field that must be there is missing', anyRecord, (body, scene) =>
    breakOne(body, scene, withoutField(scene)),
  ),
  unknown_field: content('harmless', 'every record has a field that nobody knows', anyRecord, (body, { question }) => {
    const records = recordsOf(question, body);
    for (const record of records) record.added_in_a_later_version = { is_new: true, notes: ['unknown', null, 1] };
    return records.length > 0;
  }),
  negative_number: content('visible', 'a count of a report is below zero', speaksOf('report'), (body, scene) =>
    changeOne(body, scene, (leaf) => (count(leaf) ? -1 : undefined)),
  ),
  huge_number: content('visible', 'a count of a report is larger than any column', speaksOf('report'), (body, scene) =>
    changeOne(body, scene, (leaf) => (count(leaf) ? Number.MAX_SAFE_INTEGER : undefined)),
  ),
  list_for_object: content(
    'harmless',
    'what is empty is written as a list, as PHP does',
    speaksOf('report'),
    (body, scene) => changeOne(body, scene, ({ value }) => (isEmptyObject(value) ? [] : undefined)),
  ),
} as const satisfies Record<string, Fault>;

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
