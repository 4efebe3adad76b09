// `chatledger service-token`: mints a token of the embedded service; the token alone on the last line.
import { everyKnownScope as choices } from '#service/scopes.ts';
import { newCustomer } from '#service/live/customers.ts';
import { agentLogins } from '#service/logins.ts';
import type { ChatStore } from '#service/store.ts';
import { mintPersonalToken, mintToken, regions } from '#service/tokens.ts';
import { readConfig } from '../config.ts';
import { Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { openServiceStore } from '../service-store.ts';
import { out } from '../terminal.ts';

interface ServiceTokenOptions {
  agent?: string;
  bot?: string;
  customer?: string;
  personal?: boolean;
  scope?: string;
  region?: string;
  expires?: string;
}

export function serviceToken({ personal = false, ...options }: ServiceTokenOptions): void {
  const config = readConfig();
  const folder = openFolder(config.folder);
  const store = openServiceStore(folder);
  try {
    out(
      personal
        ? personalToken(store, config.service.login, options)
        : accessToken(store, config.service.login, options),
    );
  } finally {
    store.close();
  }
}

function accessToken(
  store: ChatStore,
  login: string,
  { scope = 'all', region: asked = 'dal', expires, ...whose }: ServiceTokenOptions,
): string {
  const scopes = scope === 'all' ? scope : scopesIn(scope);
  const region = regions.find((each) => each === asked);
  if (!region) throw new Stopped(`--region ${asked} is no region; choose from ${regions.join(', ')}`);
  const seconds = expires === undefined ? undefined : secondsIn(expires);
  return mintToken(store, {
    ...ownerOf(store, login, whose),
    scopes,
    region,
    ...(seconds !== undefined && { seconds }),
  });
}

function personalToken(
  store: ChatStore,
  login: string,
  { scope, region, expires, ...whose }: ServiceTokenOptions,
): string {
  const [other] = Object.entries({ scope, region, expires }).find(([, given]) => given !== undefined) ?? [];
  if (other !== undefined) throw new Stopped(`--personal goes without --${other}: such a token is good for everything`);
  const { kind, agent } = ownerOf(store, login, whose);
  if (kind !== 'oauth') throw new Stopped('--personal needs --agent LOGIN: only agents have such tokens');
  return mintPersonalToken(store, agent);
}

/** Scopes with commas between them, all known. */
export function scopesIn(list: string): string[] {
  const scopes = list.split(',').map((name) => name.trim());
  const strange = scopes.find((name) => !choices.includes(name));
  if (strange !== undefined)
    throw new Stopped(`--scope ${strange} is no scope; choose all, or from ${choices.join(', ')}`);
  return scopes;
}

function secondsIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Stopped(`--expires ${text} must be a whole number of seconds`);
  return Number(text);
}

type Whose = Pick<ServiceTokenOptions, 'agent' | 'bot' | 'customer'>;

function ownerOf(store: ChatStore, login: string, { agent, bot, customer }: Whose) {
  if ([agent, bot, customer].filter((each) => each !== undefined).length !== 1)
    throw new Stopped('name one of --agent LOGIN, --bot ID and --customer ID, whose token it is');
  if (agent !== undefined) {
    const logins = agentLogins(store, login);
    if (!logins.includes(agent)) throw new Stopped(`--agent ${agent} is no agent; choose from ${logins.join(', ')}`);
    return { kind: 'oauth', agent } as const;
  }
  if (bot !== undefined) {
    if (!store.bots.one(bot)) throw new Stopped(`--bot ${bot} is no bot: create_bot makes one`);
    return { kind: 'bot', agent: bot } as const;
  }
  if (customer === 'new')
    return { kind: 'customer', agent: newCustomer(store, Math.floor(Date.now() / 1000), {}).id } as const;
  if (!store.live.customer(customer!))
    throw new Stopped(`--customer ${customer} is no customer: new makes one, list_customers lists them`);
  return { kind: 'customer', agent: customer! } as const;
}
