// The login library as this program uses it: users with a password, and sessions of browsers.
import type { DatabaseSync } from 'node:sqlite';
import { hashed, isPassword, longest_password, shortest_password } from './passwords.ts';

const day = 86_400;
/** A session ends after so long without a visit. Seconds. */
const session_seconds = 14 * day;

/** The name of the header in which the address of the network is handed to the library: no client can send it. */
export const address_header = 'x-chatledger-address';

export interface LoginMeans {
  database: DatabaseSync;
  /** Signs cookies. */
  secret: string;
  /** Where browsers reach the program. */
  url: string;
}

/** A cookie with the prefix `__Host-` is taken by browsers over https only. */
export const cookieOf = (url: string): string =>
  url.startsWith('https:') ? '__Host-chatledger-session' : 'chatledger-session';

export const loginOptions = ({ database, secret, url }: LoginMeans) =>
  ({
    ...{ database, secret, baseURL: url, telemetry: { enabled: false }, logger: { disabled: true } },
    // TRICKY: its limiter does not see calls from this process; Throttle does.
    rateLimit: { enabled: false },
    user: {
      modelName: 'users',
      additionalFields: {
        role: { type: 'string', input: false, required: true },
        given: { type: 'string', input: false, required: true },
        rows: { type: 'string', input: false, required: true },
      },
    },
    session: { modelName: 'sessions', expiresIn: session_seconds, updateAge: day },
    account: { modelName: 'logins' },
    verification: { modelName: 'verifications' },
    emailAndPassword: {
      ...{ enabled: true, disableSignUp: true },
      minPasswordLength: shortest_password,
      maxPasswordLength: longest_password,
      password: {
        hash: hashed,
        verify: ({ hash, password }: { hash: string; password: string }) => isPassword(hash, password),
      },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: [address_header] as string[] },
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: cookieOf(url),
          attributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: url.startsWith('https:') },
        },
      },
    },
  }) as const;

/** TRICKY: loading it takes a third of a second, so that it is done for the first who signs in. */
export async function loginLibrary(means: LoginMeans) {
  const { betterAuth } = await import('better-auth');
  const library = betterAuth(loginOptions(means));
  return { api: library.api };
}

export type LoginLibrary = Awaited<ReturnType<typeof loginLibrary>>;
