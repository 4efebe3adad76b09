// The actions that make, list and remove bots.
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { botConfiguration } from '#contract/bots.ts';
import { mayAsk } from '../callers.ts';
import { refuse } from '../refusals.ts';
import { demandAdministrator, ownerOf, type ConfigurationAction } from './action.ts';

type Bots = typeof botConfiguration;

/** Bots of one client; a script cannot fill the file with them. */
const most_of_client = 100;

export const botActions: { [K in keyof Bots]: ConfigurationAction<z.infer<Bots[K]['args']>> } = {
  create_bot(asked) {
    demandAdministrator(asked);
    const owner_client_id = ownerOf(asked);
    const { bots } = asked.account.store;
    if (bots.ofClient(owner_client_id).length >= most_of_client)
      throw refuse.v3('limit_reached', `a client has at most ${most_of_client} bots`);
    const id = randomBytes(16).toString('hex');
    bots.add({ id, name: asked.args.name, owner_client_id });
    return { id };
  },
  list_bots: (asked) => {
    const { bots } = asked.account.store;
    if (!asked.args.all) return bots.ofClient(ownerOf(asked));
    if (!mayAsk(asked.caller, ['agents-bot--all:ro']))
      throw refuse.v3('authorization', 'the token lacks the scope agents-bot--all:ro');
    return bots.all();
  },
  delete_bot(asked) {
    demandAdministrator(asked);
    const { store } = asked.account;
    const bot = store.bots.one(asked.args.id);
    const is_mine =
      bot?.owner_client_id === ownerOf({ ...asked, args: { owner_client_id: bot?.owner_client_id, ...asked.args } });
    if (!bot || !is_mine) throw refuse.v3('not_found', 'there is no such bot');
    store.bots.remove(bot.id);
    store.tokens.removeOf(bot.id);
    return {};
  },
};
