// Signing in with an identity provider: browsers are redirected there and come back, with the flow's state in a cookie.
import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { NotSignedOn } from '#auth/errors.ts';
import { cookieOf } from '#auth/login.ts';
import { flow_minutes } from '#auth/oidc.ts';
import type { SingleSignOn } from '#auth/single-sign-on.ts';
import { addressIn, browserIn } from './client.ts';
import { userIn } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { beginSignOn, finishSignOn, linkIdentity, listIdentities, unlinkIdentity } from './contract/sign-in.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf } from './validation.ts';

export function addSignOn(app: Hono, deps: ApiDeps): void {
  const { singleSignOn, users, passwords, hasPasswords } = deps.auth;
  const provider = (): SingleSignOn => {
    if (!singleSignOn) throw new Declined('not_found', 'no identity provider is configured (CHATLEDGER_OIDC_ISSUER)');
    return singleSignOn;
  };
  /** Browsers use https if a proxy says so. */
  const isSecure = deps.proxies?.url.protocol === 'https:';
  const flow = cookieOf(isSecure ? 'https:' : 'http:', 'flow');
  const keep = (c: Context, value: string, maxAge: number): void =>
    setCookie(c, flow, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure, maxAge });

  /** Redirects back to where the user can retry; the log explains the failure to the operator. */
  const led = async (c: Context, back: string, work: () => Promise<string>): Promise<Response> => {
    c.header('cache-control', 'no-store');
    try {
      return c.redirect(await work());
    } catch (error) {
      if (!(error instanceof NotSignedOn)) throw error;
      deps.log?.(`single sign-on: ${error.message}`);
      return c.redirect(`${back}?problem=${error.problem}`);
    }
  };
  const begun = async (c: Context, to: string, links?: string): Promise<string> => {
    const { url, kept } = await provider().begin(to, links);
    keep(c, kept, flow_minutes * 60);
    return url;
  };

  /** Without a proxy, browsers may know this machine by several names, each with its own cookies. */
  const isElsewhere = (c: Context, { origin }: SingleSignOn): boolean =>
    deps.proxies === undefined && new URL(c.req.url).host !== new URL(origin).host;

  app.get(beginSignOn.path, async (c) => {
    const { origin } = provider();
    if (isElsewhere(c, provider())) {
      const to = new URLSearchParams({ to: placeIn(c.req.query('to')) });
      return c.redirect(`${origin}/api${beginSignOn.path}?${to}`);
    }
    return await led(c, '/sign-in', () => begun(c, placeIn(c.req.query('to'))));
  });

  app.post(linkIdentity.path, async (c) => {
    const { password } = await bodyOf(c, linkIdentity.body);
    const user = users.find(userIn(c).id);
    if (!user) throw new Declined('unauthorized', 'sign in again');
    const { origin } = provider();
    if (isElsewhere(c, provider()))
      throw new Declined('bad_request', `the provider sends browsers back to ${origin}: sign in and link it there`);
    // A stolen session alone must not suffice to create a way to sign in that outlasts it.
    if (users.hashOf(user.id) !== undefined) await passwords.assertPassword(user, password ?? '', addressIn(c, deps));
    try {
      return c.json<AnswerOf<typeof linkIdentity>>({ url: await begun(c, '/profile', user.id) });
    } catch (error) {
      if (error instanceof NotSignedOn) throw new Declined('unavailable', error.message);
      throw error;
    }
  });

  app.get(finishSignOn.path, (c) => {
    const { finish } = provider();
    const kept = getCookie(c, flow);
    keep(c, '', 0);
    const present = c.get('caller')?.user?.id;
    return led(c, present === undefined ? '/sign-in' : '/profile', async () => {
      const from = { address: addressIn(c, deps), browser: browserIn(c) };
      const { signed, to } = await finish(new URL(c.req.url), kept, from, present);
      for (const cookie of signed?.cookies ?? []) c.header('set-cookie', cookie, { append: true });
      return to;
    });
  });

  app.get(listIdentities.path, (c) =>
    c.json<AnswerOf<typeof listIdentities>>({ identities: users.identities(userIn(c).id) }),
  );

  app.delete(routed(unlinkIdentity), (c) => {
    if (!users.unlink(userIn(c).id, c.req.param('id'), { hasPasswords }))
      throw new Declined('not_found', 'you have no such identity');
    return c.body(null, 204);
  });
}

/** A place of this server, and of no other. */
function placeIn(to: string | undefined): string {
  const home = 'http://here.invalid/';
  if (to === undefined || !URL.canParse(to, home)) return '/';
  const { origin, pathname, search } = new URL(to, home);
  return origin === new URL(home).origin && !pathname.startsWith('//') ? pathname + search : '/';
}
