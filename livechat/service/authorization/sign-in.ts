// Recognizes an agent by login and password, or API key, and slows down whoever guesses.
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ServiceAccount } from '../account.ts';
import { isPassword } from '../actions/passwords.ts';
import { hashOf } from '../tokens.ts';

const most_wrong = 10;
const pause_seconds = 900;
/** For logins that nobody has, so that these take as long. */
const nobodys = `${'0'.repeat(32)}:${'0'.repeat(64)}`;

export type SignIn = (login: string, given: string) => Promise<'known' | 'unknown' | 'too many'>;

export function createSignIn(account: ServiceAccount): SignIn {
  const wrong = new LRUCache<string, { count: number; until: number }>({ max: 10_000 });
  return async (login, given) => {
    const now = account.now();
    const had = wrong.get(login);
    const guesses = had && had.until > now ? had : { count: 0, until: now + pause_seconds };
    if (guesses.count >= most_wrong) return 'too many';
    // Counted before the password is compared, so that guesses side by side count, too.
    wrong.set(login, { ...guesses, count: guesses.count + 1 });
    const agent = account.store.staff.one('agents', login);
    const is_key = agent !== undefined && agent.api_key !== '' && isSame(agent.api_key, given);
    const is_password = await isPassword(agent?.password ?? nobodys, given);
    if (!agent || !(is_key || (agent.password !== undefined && is_password))) return 'unknown';
    wrong.delete(login);
    return 'known';
  };
}

const isSame = (secret: string, given: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(hashOf(given)));
