// Secrets in separate files, as containers provide them: NAME_FILE instead of NAME.
import { readFileSync, statSync } from 'node:fs';

interface SecretFiles {
  values: Record<string, string>;
  /** Sentences about files that cannot be used; none of them holds a secret. */
  complaints: string[];
}

const most_bytes = 64 * 1024;

/** The secrets found in files; an empty variable counts as unset. */
export function secretsInFiles(env: NodeJS.ProcessEnv, names: readonly string[]): SecretFiles {
  const found: SecretFiles = { values: {}, complaints: [] };
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const secret = env[name] ? { wrong: `stands besides ${name}: keep one of them` } : secretIn(path);
    // The path is not printed: it may be the secret itself, set by mistake.
    if ('wrong' in secret) found.complaints.push(`the file that ${name}_FILE names ${secret.wrong}`);
    else found.values[name] = secret.value;
  }
  return found;
}

function secretIn(path: string): { value: string } | { wrong: string } {
  try {
    const about = statSync(path);
    if (!about.isFile()) return { wrong: 'is no file' };
    if (about.size > most_bytes) return { wrong: `is longer than ${most_bytes} bytes: it must hold the secret alone` };
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (value === '') return { wrong: 'is empty' };
    return /[\r\n]/.test(value) ? { wrong: 'has several lines: it must hold the secret alone' } : { value };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { wrong: `cannot be read (${code}): it must be a file this user may read` };
  }
}
