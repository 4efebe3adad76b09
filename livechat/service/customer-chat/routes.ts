// The routes of the Customer Chat Web API v3.3: actions by POST or GET with a customer's token and the license in the query.
import type { Context, Hono } from 'hono';
import { refusalOf, type Reach } from '#network/reach.ts';
import type { ActionV3 } from '#contract/actions.ts';
import {
  customerActionNames,
  customerChat,
  openToAnybody,
  otherSpellings,
  type CustomerActionName,
} from '#contract/customer-chat.ts';
import type { ServiceAccount } from '../account.ts';
import type { SendMail } from '../mail.ts';
import { formOf, jsonOf, read } from '../bodies-v3.ts';
import { customerCallerOf, demandLicense } from '../callers.ts';
import { customerNamed, isBanned } from '../live/customers.ts';
import { outgoing } from '../outgoing.ts';
import { refuse } from '../refusals.ts';
import { answerText } from '../wire.ts';
import type { CustomerAction, ReachOut } from './action.ts';
import { customerHandlers } from './actions.ts';
import { verify } from './verification.ts';

interface Means {
  before: () => void;
  reach: Reach;
  sendMail: SendMail | undefined;
}

export function addCustomerChat(app: Hono, account: ServiceAccount, { before, reach, sendMail }: Means): void {
  const reachOut: ReachOut = (address, request, bounds) => outgoing(address, request, bounds, reach);
  const answer = async (context: Context): Promise<Response> => {
    const { method, headers } = context.req.raw;
    const url = new URL(context.req.url);
    const asked = context.req.param('action') ?? '';
    const name = customerActionNames.find((each) => each === (otherSpellings[asked] ?? asked));
    if (!name) throw refuse.v3('not_found');
    const action: ActionV3 = customerChat[name];
    if (method !== 'POST' && !(method === 'GET' && action.is_get))
      throw refuse.v3(
        'validation',
        `${asked} is sent with ${action.is_get ? 'GET or POST' : 'POST'}, not with ${method}`,
      );
    const is_open = openToAnybody.includes(name);
    if (is_open) demandLicense(account, url);
    const caller = is_open ? undefined : customerCallerOf(account, headers, url);
    const body = action.is_upload ? await formOf(context) : method === 'GET' ? queryOf(url) : await jsonOf(context);
    before();
    const now = account.now();
    const customer = caller && customerNamed(account, caller.customer_id);
    if (customer && isBanned(customer, now)) throw refuse.v3('customer_banned');
    const args = read(action.args, body) as never;
    // TypeScript cannot infer that the arguments of an action match its own handler.
    const handle = customerHandlers[name] as CustomerAction<CustomerActionName>;
    const request = {
      account,
      customer,
      args,
      now,
      headers,
      client_id: caller?.client_id,
      origin: url.origin,
      reachOut,
      objectionTo: (address: string) => refusalOf(address, reach),
      sendMail,
    };
    return answerText(200, await handle(request), new URLSearchParams());
  };
  app.all('/v3.3/customer/action/:action', answer);
  app.all('/customer/action/:action', (context) => {
    const version = context.req.header('x-api-version');
    if (version !== '3.3')
      throw refuse.v3('unsupported_version', `X-API-Version: must be 3.3, not ${version?.slice(0, 20) ?? 'missing'}`);
    return answer(context);
  });
  app.all('/:version{v3\\.\\d+}/customer/action/:action', () => {
    throw refuse.v3('unsupported_version');
  });
  app.get('/customer/verify/:id/:secret', (context) =>
    verify(account, context.req.param('id'), context.req.param('secret'), reachOut)
      ? context.text('Your e-mail address is confirmed.')
      : context.text('This link is not valid any more.', 404),
  );
}

/** Arguments of a GET, without the license. */
const queryOf = ({ searchParams }: URL): Record<string, string> =>
  Object.fromEntries([...searchParams].filter(([name]) => name !== 'license_id'));
