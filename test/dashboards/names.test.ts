// Tables of names hold what was put in and nothing else, whatever a login is called.
import { expect, test } from 'vitest';
import { nameTable } from '#dashboards/names.ts';
import { namesOf } from '#lib/panel/names.ts';
import { inherited } from './inherited.ts';

test('a login without a name is no member of all objects', () => {
  const names = namesOf({ agents: [], groups: [], other_groups: [], goals: [], variables: [] } as never);
  for (const login of inherited) expect(names['agent']?.[login]).toBeUndefined();
});

test('a login that is called like one has its own name', () => {
  const names = nameTable(inherited.map((login) => [login, `name of ${login}`]));
  for (const login of inherited) expect(names[login]).toBe(`name of ${login}`);
  expect(Object.keys(names).sort()).toEqual([...inherited].sort());
});
