// The routes on which tokens are given out: the page for agents, the token endpoint, and the tokens of customers.
import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { bodyOf } from '#contract/body.ts';
import type { ServiceAccount } from '../account.ts';
import { inV3, refuse, Refusal } from '../refusals.ts';
import { regions, type Region } from '../tokens.ts';
import { answerText, textWithin } from '../wire.ts';
import { createAuthorize } from './authorize.ts';
import { customerToken } from './customer-token.ts';
import { createSignIn } from './sign-in.ts';
import { OAuthRefusal, revoke, tokenAnswer, type Parameters } from './token-endpoint.ts';

const longest = 16 * 1024;
/** As long as browsers keep any. */
const kept_seconds = 400 * 86_400;

export function addAuthorization(app: Hono, account: ServiceAccount): void {
  const authorize = createAuthorize(account, createSignIn(account));
  app.get('/oauth/authorize', authorize);
  app.post('/oauth/authorize', authorize);
  const endpoint = (answer: (asked: Parameters, region: Region) => object) => async (context: Context) => {
    try {
      return said(200, answer(await parametersOf(context), regionAsked(context, oauthRefusal)));
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      const response = said(error.code === 'invalid_client' ? 401 : 400, {
        error: error.code,
        error_description: error.message,
      });
      if (error.code === 'invalid_client') response.headers.set('www-authenticate', 'Basic realm="oauth"');
      return response;
    }
  };
  app.post(
    '/oauth/token',
    endpoint((asked, region) => tokenAnswer(account, asked, region)),
  );
  app.post(
    '/oauth/revoke',
    endpoint((asked) => {
      revoke(account, asked);
      return {};
    }),
  );
  app.post('/customer/token', async (context) => {
    try {
      return await givenToCustomer(context, account);
    } catch (error) {
      throw error instanceof Refusal ? inV3(error) : error;
    }
  });
}

async function givenToCustomer(context: Context, account: ServiceAccount): Promise<Response> {
  const browser = { customer_id: getCookie(context, '__lc_cid'), browser_secret: getCookie(context, '__lc_cst') };
  const body = await readBody(context, () => refuse.v3('validation', 'the body cannot be read, or is too large'));
  const region = regionAsked(context, (words) => refuse.v3('validation', words));
  const { headers } = context.req.raw;
  const { answer, customer_id, browser_secret } = customerToken(account, { body, browser, headers, region });
  const kept = { path: '/customer', httpOnly: true, sameSite: 'Lax', maxAge: kept_seconds } as const;
  setCookie(context, '__lc_cid', customer_id, kept);
  setCookie(context, '__lc_cst', browser_secret, kept);
  return context.json(answer, 200, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
}

const oauthRefusal = (words: string): Error => new OAuthRefusal('invalid_request', words);

const said = (status: number, body: object): Response => answerText(status, body, new URLSearchParams());

/** Tokens are made for the data center that the request addresses. */
function regionAsked(context: Context, wrong: (words: string) => Error): Region {
  const asked = context.req.header('x-region') ?? 'dal';
  const region = regions.find((each) => each === asked);
  if (!region) throw wrong(`X-Region: must be ${regions.join(' or ')}`);
  return region;
}

/** The parameters of the body; a client may name itself by Basic authentication. */
async function parametersOf(context: Context): Promise<Parameters> {
  const body = await readBody(context, () => oauthRefusal('the body cannot be read, or is too large'));
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && entry[1] !== '';
  const texts = Object.entries(body).filter(isText);
  const [, credentials] = /^basic +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/.exec(Buffer.from(credentials ?? '', 'base64').toString('utf8')) ?? [];
  const itself = { client_id: id, client_secret: secret === '' ? undefined : secret };
  return { ...Object.fromEntries(texts), ...(credentials !== undefined && itself) };
}

async function readBody(context: Context, wrong: () => Error): Promise<object> {
  const text = await textWithin(context.req.raw, longest);
  if (text === undefined) throw wrong();
  try {
    const body = bodyOf(text, context.req.header('content-type') ?? '');
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Told below.
  }
  throw wrong();
}
