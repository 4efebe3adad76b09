// How bots are made over the Configuration API v3.5: actions, their arguments, scopes and answers.
import { z } from 'zod';

const id = z.string().min(1).max(255);
const bot = z.object({ id, name: z.string(), owner_client_id: id });
const nothing = z.object({});

/** `POST /v3.5/configuration/action/<name>`. The owner is the client of the token; a token without a client names one. */
export const botConfiguration = {
  create_bot: {
    scopes: ['agents-bot--my:rw', 'agents-bot--all:rw'],
    args: z.object({ name: z.string().min(1).max(255), owner_client_id: id.optional() }),
    answer: z.object({ id }),
  },
  /** Those of the client, or all with the scope for it. */
  list_bots: {
    scopes: ['agents-bot--my:ro', 'agents-bot--all:ro'],
    args: z.object({ all: z.boolean().optional(), owner_client_id: id.optional() }),
    answer: z.array(bot),
  },
  delete_bot: {
    scopes: ['agents-bot--my:rw', 'agents-bot--all:rw'],
    args: z.object({ id, owner_client_id: id.optional() }),
    answer: nothing,
  },
} as const;
