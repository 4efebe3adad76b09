// OpenID Connect, as a relying party: the way to the identity provider and back, by the authorization code flow with PKCE.
import { createHash } from 'node:crypto';
import type { Configuration, ServerMetadata } from 'openid-client';
import { certificateProblem } from '#network/certificate.ts';
import { NotSignedOn } from './errors.ts';
import type { Claims } from './oidc-claims.ts';

export interface Provider {
  /** URL of the provider; discovery is located below it. */
  issuer: string;
  client_id: string;
  client_secret: string | null;
  scopes: string;
}

/** State of one sign-in, stored encrypted in the browser during the redirects. */
interface Flow {
  state: string;
  nonce: string;
  verifier: string;
  /** Where the reader wanted to go. */
  to: string;
  /** Id of the user who links this identity; missing: a sign-in. */
  links?: string;
}

/** The identity at a provider: never the e-mail address, which the provider may reassign. */
export interface Identity {
  issuer: string;
  subject: string;
}

interface Returned {
  identity: Identity;
  claims: Claims;
  to: string;
  links?: string;
}

export interface Oidc {
  /** The provider's URL, and the state that the browser keeps for the return. Errors: NotSignedOn. */
  begin(to: string, links?: string): Promise<{ url: string; kept: string }>;
  /** `address`: the complete URL of the return; `kept`: the state from `begin`. Errors: NotSignedOn. */
  finish(address: URL, kept: string | undefined): Promise<Returned>;
}

/** Minutes that a user may spend at the provider. */
export const flow_minutes = 10;
const timeout_seconds = 10;
const metadata_ms = 600_000;

interface OidcMeans {
  provider: Provider;
  /** Where the provider sends browsers back to. */
  redirect_uri: string;
  secret: string;
  /** Milliseconds. */
  clock: () => number;
}

const isLoopback = (address: string): boolean =>
  URL.canParse(address) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname);

type Client = typeof import('openid-client');

/** Client configuration from the provider's metadata. */
function configured(
  client: Client,
  about: ServerMetadata,
  { issuer, client_id, client_secret }: Provider,
): Configuration {
  // A missing value means basic, according to the discovery specification.
  const isBasic = about.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
  const shown = isBasic ? client.ClientSecretBasic : client.ClientSecretPost;
  const authentication = client_secret === null ? client.None() : shown(client_secret);
  const configuration = new client.Configuration(about, client_id, client_secret ?? undefined, authentication);
  configuration.timeout = timeout_seconds;
  client.enableNonRepudiationChecks(configuration);
  // Without https only on this machine, where nobody listens in between.
  if (isLoopback(issuer)) client.allowInsecureRequests(configuration);
  return configuration;
}

/** Fetches the provider's metadata. Errors: those of the library and the network. */
export async function discovered(provider: Provider): Promise<Configuration> {
  const client = await import('openid-client');
  const { issuer, client_id } = provider;
  const execute = isLoopback(issuer) ? [client.allowInsecureRequests] : [];
  const found = await client.discovery(new URL(issuer), client_id, undefined, undefined, {
    execute,
    timeout: timeout_seconds,
  });
  return configured(client, found.serverMetadata(), provider);
}

export function oidcWith({ provider, redirect_uri, secret, clock }: OidcMeans): Oidc {
  const key = createHash('sha256').update(`flow ${secret}`).digest();
  let known: { at: number; configuration: Promise<Configuration> } | undefined;

  /** The keys are fetched each time, so that a key rotation is noticed. */
  async function configuration(): Promise<Configuration> {
    if (!known || clock() - known.at > metadata_ms) known = { at: clock(), configuration: discovered(provider) };
    const asked = known;
    const found = await asked.configuration.catch((error: unknown) => {
      if (known === asked) known = undefined;
      throw new NotSignedOn('unavailable', `${provider.issuer} cannot be asked: ${wordsOf(error)}`, error);
    });
    return configured(await import('openid-client'), { ...found.serverMetadata() }, provider);
  }

  async function flowIn(kept: string | undefined): Promise<Flow> {
    if (kept === undefined) throw new NotSignedOn('expired', 'the browser kept nothing of the way to the provider');
    try {
      const { jwtDecrypt } = await import('jose');
      const { payload } = await jwtDecrypt<Flow>(kept, key, { currentDate: new Date(clock()), clockTolerance: 0 });
      return payload;
    } catch (error) {
      throw new NotSignedOn('expired', `what the browser kept is of no use: ${wordsOf(error)}`, error);
    }
  }

  return {
    async begin(to, links) {
      const client = await import('openid-client');
      const found = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const flow: Flow = {
        ...{ state: client.randomState(), nonce: client.randomNonce(), verifier, to },
        ...(links === undefined ? {} : { links }),
      };
      const url = client.buildAuthorizationUrl(found, {
        ...{ redirect_uri, scope: provider.scopes, state: flow.state, nonce: flow.nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
      const ends = Math.floor(clock() / 1000) + flow_minutes * 60;
      const { EncryptJWT } = await import('jose');
      const kept = await new EncryptJWT({ ...flow })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(ends)
        .encrypt(key);
      return { url: url.href, kept };
    },
    async finish(address, kept) {
      const flow = await flowIn(kept);
      if (address.searchParams.has('error') && address.searchParams.get('state') === flow.state)
        throw new NotSignedOn('declined', `the provider says ${codeOf(address.searchParams.get('error'))}`);
      const found = await configuration();
      const { authorizationCodeGrant } = await import('openid-client');
      const here = new URL(redirect_uri);
      here.search = address.search;
      const checks = {
        ...{ pkceCodeVerifier: flow.verifier, expectedState: flow.state, expectedNonce: flow.nonce },
        idTokenExpected: true,
      };
      const tokens = await authorizationCodeGrant(found, here, checks).catch((error: unknown) => {
        throw new NotSignedOn(
          isOfNetwork(error) ? 'unavailable' : 'invalid',
          `${provider.issuer}: ${wordsOf(error)}`,
          error,
        );
      });
      const claims = tokens.claims();
      if (!claims) throw new NotSignedOn('invalid', `${provider.issuer}: there is no ID token`);
      return {
        ...{ identity: { issuer: claims.iss, subject: claims.sub }, claims, to: flow.to },
        ...(flow.links === undefined ? {} : { links: flow.links }),
      };
    },
  };
}

/** Error code of a provider; anything else could be chosen by an attacker. */
const codeOf = (error: string | null): string => (/^[a-z_]{1,40}$/.test(error ?? '') ? `${error}` : 'an error');

const isOfNetwork = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof TypeError && error.message === 'fetch failed') ||
    ('code' in error && error.code === 'OAUTH_TIMEOUT') ||
    isOfNetwork(error.cause));

/** The error as a sentence with its cause: the library's message is often only a wrapper. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const certificate = certificateProblem(error);
  if (certificate) return `no secure connection: ${certificate}`;
  const about = 'error_description' in error && error.error_description ? ` (${String(error.error_description)})` : '';
  return `${error.message}${about}${behind(error)}`;
}

function behind({ message, cause }: Error): string {
  if (cause instanceof Response) return ` (${cause.status})`;
  const words = cause instanceof Error ? wordsOf(cause) : message;
  return words === message ? '' : `: ${words}`;
}
