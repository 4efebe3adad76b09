// A damaged file is loud, or set aside and made again; it never answers wrongly. The large round is `npm run drill:damage`.
import { expect, test } from 'vitest';
import { drill, type Fared } from '../drills/damage.ts';

test('five damaged copies of the files of a small account: none is silently wrong, most are mended without being asked', async () => {
  const fared: Fared[] = [];
  await drill(5, 20261121, (each) => fared.push(each));
  expect(fared.filter(({ fate }) => fate === 'SILENTLY WRONG')).toEqual([]);
  expect(fared.filter(({ fate }) => fate === 'set aside and made again').length).toBeGreaterThan(1);
  const mended = fared.filter(({ fate }) => fate === 'set aside and made again');
  for (const { words } of mended) expect(words).toMatch(/set aside as|asked for again|taken from the raw archive/);
});
