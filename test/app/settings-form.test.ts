// The page Settings has a field for each setting that can be changed on it.
import { expect, test } from 'vitest';
import { changeableSettings } from '#server/changeable-settings.ts';
import { settingsWords } from '../../src/app/routes/settings/words.ts';

test('each setting that can be changed has one field, and no other has', () => {
  const fields = Object.values(settingsWords.groups).flatMap((group) => Object.keys(group.fields));
  expect(fields.sort()).toEqual(Object.keys(changeableSettings).sort());
});
