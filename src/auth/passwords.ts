// Passwords: their hashes (argon2id), and the check against easily guessed ones.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Bytes in KiB, passes and lanes: the second choice of OWASP's list for argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const derive = promisify(argon2);

const tagOf = async (password: string, nonce: Buffer): Promise<Buffer> =>
  Buffer.from(await derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost }));

/** `argon2id$memory$passes$salt$tag`. */
export async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await tagOf(password, salt);
  return ['argon2id', cost.memory, cost.passes, salt.toString('base64'), tag.toString('base64')].join('$');
}

export async function isPassword(hash: string, password: string): Promise<boolean> {
  const [kind, memory, passes, salt, tag] = hash.split('$');
  if (kind !== 'argon2id' || Number(memory) !== cost.memory || Number(passes) !== cost.passes || !salt || !tag)
    return false;
  return timingSafeEqual(await tagOf(password, Buffer.from(salt, 'base64')), Buffer.from(tag, 'base64'));
}

const shortest_password = 12;
const longest_password = 200;

let known: Promise<ReadonlySet<string>> | undefined;
const knownPasswords = (): Promise<ReadonlySet<string>> =>
  (known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase())),
  ));

/** Why a password is rejected; null: accepted. `about`: words that an attacker who knows the user would try first. */
export async function objectionToPassword(password: string, about: readonly string[]): Promise<string | null> {
  if ([...password].length < shortest_password) return `must have at least ${shortest_password} characters`;
  if (password.length > longest_password) return `must have at most ${longest_password} characters`;
  const lower = password.toLowerCase();
  if (new Set(lower).size < 5) return 'repeats a few characters: choose one with more of them';
  const own = [...about, 'chatledger'].flatMap((word) => word.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const rest = own.filter((word) => word.length > 3).reduce((left, word) => left.replaceAll(word, ''), lower);
  if ([...rest].length < shortest_password - 4)
    return 'is made of the name or address that belongs to it: choose another';
  if ((await knownPasswords()).has(lower)) return 'is on the list of those that are tried first: choose another';
  return null;
}

/** Letters and digits that are not taken for each other, of five bits each, in groups of `size`. */
export function grouped(length: number, size: number): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const chosen = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
  return chosen.replaceAll(new RegExp(`(.{${size}})(?=.)`, 'g'), '$1-');
}

/** Four groups of five: 100 bits. */
export const newPassword = (): string => grouped(20, 5);
