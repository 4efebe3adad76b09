// Finds problems with the single sign-on configuration by asking the provider.
import { redirectOf } from '#auth/auth.ts';
import { discovered, wordsOf, type Provider } from '#auth/oidc.ts';
import { urlOf } from './auth.ts';
import { boundedAnswer } from './bounded-request.ts';
import type { Config } from './config.ts';
import type { Finding } from './doctor-finding.ts';

const what = 'single sign-on';

/** Nothing, where no provider is configured. */
export async function signOn(config: Config): Promise<Finding[]> {
  if (!config.provider) return [];
  const { provider, mapping, hasPasswords } = config.provider;
  const found = await metadataOf(provider);
  if ('wrong' in found) return [{ what, is_well: false, words: found.wrong }];
  const redirect = redirectOf(urlOf(config));
  const { domains, values } = mapping.new_users;
  const isNobodyNew = domains.length === 0 && values.length === 0;
  return [
    { what, is_well: true, words: `${provider.issuer} answers; it must know the redirect address ${redirect}` },
    ...found.findings,
    ...(isNobodyNew
      ? [
          {
            what,
            is_well: hasPasswords,
            words: `nobody becomes a user by signing in (CHATLEDGER_OIDC_NEW_USERS)${hasPasswords ? ': users link it on their profile' : ', and without passwords nobody can link it: set it, or use `chatledger user link`'}`,
          },
        ]
      : []),
  ];
}

async function metadataOf(provider: Provider): Promise<{ findings: Finding[] } | { wrong: string }> {
  try {
    const configuration = await discovered(provider);
    const about = configuration.serverMetadata();
    const methods = about.code_challenge_methods_supported;
    const findings = [
      ...(about.jwks_uri
        ? [await keysAt(about.jwks_uri)]
        : [wrong('it names no keys (jwks_uri), so that no ID token can be verified')]),
      ...(methods && !methods.includes('S256') ? [wrong('it does not know PKCE with S256')] : []),
      await clientAt(configuration),
    ];
    return { findings };
  } catch (error) {
    return { wrong: `${provider.issuer} cannot be used: ${wordsOf(error)}` };
  }
}

const refused = (why: string): string =>
  `it refuses the client: ${why} (CHATLEDGER_OIDC_CLIENT_ID, CHATLEDGER_OIDC_CLIENT_SECRET)`;

const wrong = (words: string): Finding => ({ what, is_well: false, words });

async function keysAt(address: string): Promise<Finding> {
  try {
    const { status, text, error } = await boundedAnswer(address, { head_ms: 10_000, whole_ms: 10_000 });
    if (status !== 200) return wrong(`the keys at ${address} cannot be read: the answer is ${status}`);
    if (error) throw error;
    const { keys } = JSON.parse(text) as { keys?: unknown[] };
    if (!Array.isArray(keys) || keys.length === 0) return wrong(`${address} holds no keys`);
    return { what, is_well: true, words: `${keys.length} keys for ID tokens at ${address}` };
  } catch (error) {
    return wrong(`the keys at ${address} cannot be read: ${wordsOf(error)}`);
  }
}

/** An invalid code is rejected as such if the client is known, and otherwise because of the client. */
async function clientAt(configuration: Awaited<ReturnType<typeof discovered>>): Promise<Finding> {
  const { genericGrantRequest, ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client');
  const known: Finding = { what, is_well: true, words: 'it knows the client, and its secret where there is one' };
  try {
    await genericGrantRequest(configuration, 'authorization_code', {
      code: 'doctor',
      redirect_uri: 'http://127.0.0.1/',
    });
    return known;
  } catch (error) {
    // A wrong secret sent in a header is answered with a challenge.
    if (error instanceof WWWAuthenticateChallengeError) return wrong(refused('401'));
    if (!(error instanceof ResponseBodyError)) return wrong(`the client cannot be tried: ${wordsOf(error)}`);
    return /client/.test(error.error) ? wrong(refused(wordsOf(error))) : known;
  }
}
