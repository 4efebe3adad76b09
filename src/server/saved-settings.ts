// What admins saved on the page Settings: one file in the data folder, which every command reads.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { changeableSettings } from './changeable-settings.ts';
import { replaceFile } from './replace-file.ts';

type ChangeableSetting = keyof typeof changeableSettings;
export type SavedValues = Partial<Record<ChangeableSetting, string>>;

interface SavedSettings {
  values: SavedValues;
  /** Sentences about a file that cannot be used; none of them holds a value, which may be a secret. */
  complaints: string[];
}

const shape = z.record(z.string(), z.string());

const fileIn = (folder: string): string => join(folder, 'settings.json');

export const isChangeable = (name: string): name is ChangeableSetting => Object.hasOwn(changeableSettings, name);

/** Empty where nobody saved anything. */
export function savedSettingsIn(folder: string): SavedSettings {
  const file = fileIn(folder);
  if (!existsSync(file)) return { values: {}, complaints: [] };
  const wrong = (words: string): SavedSettings => ({
    values: {},
    complaints: [`${file} ${words}: mend or remove it, then save the page Settings again`],
  });
  try {
    const { success, data } = shape.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!success) return wrong('must hold one object whose values are texts');
    const strange = Object.keys(data).filter((name) => !isChangeable(name));
    if (strange.length > 0) return wrong(`names ${strange.join(', ')}, which the page Settings does not change`);
    return { values: data, complaints: [] };
  } catch (error) {
    if (error instanceof SyntaxError) return wrong('is not JSON');
    return wrong(`cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Replaces the file as a whole; only this user may read it, because a mail server's address holds its password. */
export function saveSettings(folder: string, values: SavedValues): void {
  replaceFile(fileIn(folder), `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600, flush: true });
}
