// Several accounts: `chatledger.json` in the working folder. Secrets stay in the environment, named here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { archiveChoices } from '#etl/source.ts';
import { refusal_words } from '#warehouse/refusal-words.ts';
import { settings, type SettingName } from './settings.ts';

export const accounts_file = 'chatledger.json';

/** A text that the setting of the same meaning would take. */
const like = (name: SettingName) =>
  z.string().superRefine((value, { addIssue }) => {
    const { wrong } = settings[name] as { wrong?: (value: string) => string | undefined };
    const words = wrong?.(value);
    if (words) addIssue(words);
  });

const account = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, - and _, and begin with a letter or a digit')
      .refine((id) => !(id in {}), 'has a meaning of its own in programs: choose another'),
    base_url: like('CHATLEDGER_BASE_URL'),
    login: z.string().min(1).optional(),
    api_key_env: z.string().min(1).optional(),
    token_env: z.string().min(1).optional(),
    region: like('CHATLEDGER_REGION').optional(),
    timezone: like('CHATLEDGER_TIMEZONE').optional(),
    since: like('CHATLEDGER_SINCE').optional(),
    archive_source: z.enum(archiveChoices).optional(),
    requests_per_second: z.int().min(1).max(1000).optional(),
  })
  .refine(({ token_env, login, api_key_env }) => token_env || (login && api_key_env), {
    message: 'needs credentials: token_env, or login and api_key_env',
  })
  .refine(({ token_env, api_key_env }) => !(token_env && api_key_env), {
    message: 'may have one of token_env and api_key_env: leave out the one that the account is not asked with',
  })
  .refine(({ token_env, archive_source = 'rest_v2' }) => token_env || archive_source === 'rest_v2', {
    message: 'archive_source agent_v3 or both needs token_env: the Agent Chat API takes a Bearer token only',
  });

export type WrittenAccount = z.infer<typeof account>;

const file = z.strictObject({ accounts: z.array(account).min(1) });

/** An unknown key has words here: `choicesOf`. */
const words: typeof refusal_words = {
  error: (wrong) => (wrong.code === 'unrecognized_keys' ? undefined : refusal_words.error(wrong)),
};

export interface AccountsFile {
  /** Empty if the file is missing or invalid. */
  accounts: readonly WrittenAccount[];
  /** Problems as sentences that name the place. */
  complaints: readonly string[];
}

/** Reads `chatledger.json` of a folder. */
export function readAccounts(folder: string): AccountsFile {
  const path = join(folder, accounts_file);
  if (!existsSync(path)) return { accounts: [], complaints: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { accounts: [], complaints: [`${path} cannot be read (${reason}): it must be a file this user may read`] };
  }
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    return { accounts: [], complaints: [`${accounts_file} is not JSON (${reasonOf(error)})`] };
  }
  const parsed = file.safeParse(written, words);
  if (!parsed.success)
    return {
      accounts: [],
      complaints: parsed.error.issues.map(
        (issue) => `${accounts_file}: ${placeOf(issue.path, written)}${issue.message}${choicesOf(issue)}`,
      ),
    };
  const { accounts } = parsed.data;
  const complaints = repeated(accounts);
  return { accounts: complaints.length > 0 ? [] : accounts, complaints };
}

/** Without the piece of the file that the engine quotes: it may hold a password. */
function reasonOf(error: unknown): string {
  const [words = ''] = String(error instanceof Error ? error.message : error).split(/, (?:"|\.\.\.)/);
  return words;
}

/** The valid choices, in place of an unknown word. */
function choicesOf({ code, path }: z.core.$ZodIssue): string {
  if (code !== 'unrecognized_keys') return '';
  return `; choose from ${Object.keys(path.length > 0 ? account.shape : file.shape).join(', ')}`;
}

/** `account shop-eu, region: ` instead of `accounts.1.region: `. */
function placeOf(path: readonly PropertyKey[], written: unknown): string {
  const [, index, ...rest] = path;
  if (typeof index !== 'number') return path.length > 0 ? `${path.join('.')}: ` : '';
  const id = (written as { accounts?: { id?: unknown }[] }).accounts?.[index]?.id;
  const whose = typeof id === 'string' && id !== '' ? id : `number ${index + 1}`;
  return `account ${whose}${rest.length > 0 ? `, ${rest.join('.')}` : ''}: `;
}

function repeated(accounts: readonly WrittenAccount[]): string[] {
  const ids = accounts.map(({ id }) => id);
  const twice = new Set(ids.filter((id, place) => ids.indexOf(id) !== place));
  return [...twice].map((id) => `${accounts_file}: account ${id} is written twice; each needs an id of its own`);
}

/** Accounts whose secrets are missing from the environment. */
export const withoutSecret = (accounts: readonly WrittenAccount[], env: NodeJS.ProcessEnv): string[] =>
  accounts.flatMap(({ id, token_env, api_key_env }) => {
    const name = token_env ?? api_key_env ?? '';
    return env[name] ? [] : [`${accounts_file}: account ${id}: the environment variable ${name} is not set`];
  });
