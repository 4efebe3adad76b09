// Gives customers their tokens: a browser that comes with its cookies is the same customer again.
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { complaints } from '#contract/query.ts';
import type { ServiceAccount } from '../account.ts';
import { callerOf, demand } from '../callers.ts';
import { licenseOf } from '../license.ts';
import { newCustomer } from '../live/customers.ts';
import { refuse } from '../refusals.ts';
import { customerScope } from '../scopes.ts';
import { hashOf, mintToken, secret, usualLifetime, type Region } from '../tokens.ts';

const customerTokenArgs = z
  .object({
    client_id: z.string().min(1).max(255),
    license_id: z
      .union([
        z.int(),
        z
          .string()
          .regex(/^\d{1,15}$/, 'must be a whole number')
          .transform(Number),
      ])
      .optional(),
    organization_id: z.string().max(255).optional(),
    grant_type: z.enum(['cookie', 'agent_token']),
    response_type: z.literal('token'),
    redirect_uri: z.string().max(2000).optional(),
  })
  .refine(({ license_id, organization_id }) => license_id !== undefined || organization_id !== undefined, {
    path: ['license_id'],
    error: 'is required, or organization_id',
  });

/** What the cookies of the browser say. */
interface CustomerBrowser {
  customer_id: string | undefined;
  browser_secret: string | undefined;
}

interface CustomerToken {
  answer: object;
  /** For the cookies. */
  customer_id: string;
  browser_secret: string;
}

/** Throws `validation`, `license_not_found`, `authentication` or `authorization`. */
export function customerToken(
  account: ServiceAccount,
  { body, browser, region, headers }: { body: unknown; browser: CustomerBrowser; region: Region; headers: Headers },
): CustomerToken {
  const { store, now } = account;
  const parsed = customerTokenArgs.safeParse(body);
  if (!parsed.success) throw refuse.v3('validation', complaints(parsed.error).join('; '));
  const { client_id, license_id, organization_id, grant_type, redirect_uri } = parsed.data;
  const license = licenseOf(store);
  const is_here =
    (license_id ?? license.license_id) === license.license_id &&
    (organization_id ?? license.organization_id) === license.organization_id;
  if (!is_here) throw refuse.v3('license_not_found');
  const client = store.tokens.client(client_id);
  if (!client) throw refuse.v3('authentication', 'client_id: there is no such client');
  if (redirect_uri !== undefined && !client.redirect_uris.includes(redirect_uri))
    throw refuse.v3('validation', 'redirect_uri: is not one that the client has registered');
  if (grant_type === 'agent_token') {
    if (!/^bearer /i.test(headers.get('authorization') ?? '')) throw refuse.v3('authentication', 'No Bearer token');
    demand(callerOf(account, headers), [customerScope]);
  }
  return store.transact(() => {
    const known = knownBrowser(account, browser) ?? newBrowser(account);
    const { customer_id } = known;
    const wish = { kind: 'customer', agent: customer_id, scopes: [customerScope], region, client_id } as const;
    store.tokens.removeExpired(now());
    const access_token = mintToken(store, { ...wish, seconds: usualLifetime }, now());
    const answer = { access_token, client_id, entity_id: customer_id, expires_in: usualLifetime, token_type: 'Bearer' };
    return { answer: { ...answer, organization_id: license.organization_id }, ...known };
  });
}

type Known = Pick<CustomerToken, 'customer_id' | 'browser_secret'>;

function knownBrowser({ store }: ServiceAccount, { customer_id, browser_secret }: CustomerBrowser): Known | undefined {
  if (customer_id === undefined || browser_secret === undefined) return undefined;
  const kept = store.tokens.browserSecret(customer_id);
  if (kept === undefined || !timingSafeEqual(Buffer.from(kept), Buffer.from(hashOf(browser_secret)))) return undefined;
  return { customer_id, browser_secret };
}

/** Whoever comes without cookies is a customer whom nobody knew. */
function newBrowser({ store, now }: ServiceAccount): Known {
  const known = { customer_id: newCustomer(store, now(), {}).id, browser_secret: secret() };
  store.tokens.putBrowser(known.customer_id, hashOf(known.browser_secret));
  return known;
}
