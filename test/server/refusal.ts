// The refusal of settings by what reads them for every command, without starting a process for each of them.
import { readConfig, readEnvironment } from '#server/config.ts';
import { Stopped } from '#server/errors.ts';

/** Exit code and sentences. @throws when the settings are taken. */
export function refusalOf(folder: string, env: Record<string, string>): [code: number, sentences: string] {
  try {
    readConfig(readEnvironment(env, folder));
  } catch (error) {
    if (error instanceof Stopped) return [error.code, error.message];
    throw error;
  }
  throw new Error('the settings are not refused');
}
