// The acting user or program: follows a request or command through every await, so that each change is recorded with its author.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Actor {
  /** E-mail address of a user, or what acts without one. */
  who: string;
  /** Id of the user, also behind a token. */
  user: string | null;
}

/** With the IP address; empty: this machine. */
export interface PlacedActor extends Actor {
  address: string;
}

/** The scheduler, and what the program does at its start. */
const program: PlacedActor = { who: 'chatledger', user: null, address: '' };

const actors = new AsyncLocalStorage<PlacedActor>();

export const actingAs = <T>(actor: PlacedActor, work: () => T): T => actors.run(actor, work);

export const presentActor = (): PlacedActor => actors.getStore() ?? program;
