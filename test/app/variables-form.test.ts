// The form on which variables are declared: ids that questions can name, and nothing declared that was not chosen.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declaredIn, idFor, rowsOf } from '#lib/variables/form.ts';
import { variableId, type VariableDefinition } from '#warehouse/variables.ts';

test('every title gets an id that questions can name, each another one', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 }), (titles) => {
      const taken = new Set<string>();
      for (const title of titles) {
        const id = idFor(title, taken);
        expect(id).toMatch(variableId);
        expect(taken.has(id)).toBe(false);
        taken.add(id);
      }
    }),
  );
});

test('declared ones keep their ids, others get one of their title, and only what is chosen is sent', () => {
  const plan: VariableDefinition = { id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' };
  const about = { chats: 3, values: 2, common_values: 1, examples: [] };
  const seen = [
    { source: 'custom_variable' as const, name: 'plan', ...about },
    { source: 'prechat' as const, name: 'Which plan?', ...about },
    { source: 'prechat' as const, name: '__proto__', ...about },
  ];
  const rows = rowsOf([plan, { ...plan, id: 'gone', title: 'Gone', name: 'gone' }], seen);
  expect(rows.map(({ name, isUsed, seen: of }) => [name, isUsed, of?.chats])).toEqual([
    ['plan', true, 3],
    ['gone', true, undefined],
    ['Which plan?', false, 3],
    ['__proto__', false, 3],
  ]);
  const chosen = rows.map((row) => (row.name === 'Which plan?' ? { ...row, isUsed: true, title: ' Plan ' } : row));
  expect(declaredIn(chosen).map(({ id, title }) => [id, title])).toEqual([
    ['plan', 'Plan'],
    ['gone', 'Gone'],
    ['plan_2', 'Plan'],
  ]);
});
