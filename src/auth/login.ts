// The login library as used here, for browser sessions. Who may start one is decided before it is called.
import type { DatabaseSync } from 'node:sqlite';

const day = 86_400;
/** A session expires after this long without use. Seconds. */
const session_seconds = 14 * day;

/** The name of the header in which the address of the network is handed to the library: no client can send it. */
export const address_header = 'x-chatledger-address';

interface LoginMeans {
  database: DatabaseSync;
  /** Signs cookies. */
  secret: string;
  /** Where browsers reach the program. */
  url: string;
}

/** A cookie with the prefix `__Host-` is taken by browsers over https only. */
export const cookieOf = (url: string, name = 'session'): string =>
  `${url.startsWith('https:') ? '__Host-' : ''}chatledger-${name}`;

export const loginOptions = ({ database, secret, url }: LoginMeans) =>
  ({
    ...{ database, secret, baseURL: url, telemetry: { enabled: false }, logger: { disabled: true } },
    // TRICKY: its limiter does not see calls from this process; Throttle does.
    rateLimit: { enabled: false },
    user: {
      modelName: 'users',
      additionalFields: {
        role: { type: 'string', input: false, required: true },
        extra_rights: { type: 'string', input: false, required: true },
        rows: { type: 'string', input: false, required: true },
      },
    },
    session: { modelName: 'sessions', expiresIn: session_seconds, updateAge: day },
    account: { modelName: 'logins' },
    verification: { modelName: 'verifications' },
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

/** TRICKY: loading takes a third of a second, so it is deferred to the first sign-in. */
export async function loginLibrary(means: LoginMeans) {
  const [{ betterAuth }, { createAuthEndpoint }, { setSessionCookie }, { z }] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
    import('better-auth/cookies'),
    import('zod'),
  ]);
  const startSession = createAuthEndpoint(
    '/start-session',
    { method: 'POST', body: z.object({ user: z.string() }), metadata: { SERVER_ONLY: true } },
    async (context) => {
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(context.body.user);
      if (!user) throw context.error('UNAUTHORIZED');
      const session = await internalAdapter.createSession(user.id);
      await setSessionCookie(context, { session, user });
      return context.json({ session: session.id });
    },
  );
  const library = betterAuth({
    ...loginOptions(means),
    plugins: [{ id: 'chatledger', endpoints: { startSession } }],
  });
  return { api: library.api };
}

export type LoginLibrary = Awaited<ReturnType<typeof loginLibrary>>;
