// Who acts: follows a request or a command through every await, so that what is changed is recorded with whoever changed it.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Actor {
  /** E-mail address of a user, or what acts without one. */
  who: string;
  /** Id of the user, also of whom a token belongs to. */
  user: string | null;
}

/** With the address of the network it comes from; empty: this machine. */
export interface PlacedActor extends Actor {
  address: string;
}

/** The schedule, and what the program does at its start. */
const program: PlacedActor = { who: 'chatledger', user: null, address: '' };

const actors = new AsyncLocalStorage<PlacedActor>();

export const actingAs = <T>(actor: PlacedActor, work: () => T): T => actors.run(actor, work);

export const presentActor = (): PlacedActor => actors.getStore() ?? program;
