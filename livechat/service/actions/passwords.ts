// Passwords of agents: checked and hashed before the transaction begins, since that takes a tenth of a second.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { AgentRecord } from '../records.ts';
import { refuse } from '../refusals.ts';
import type { ActionRequest } from './action.ts';

const derived = promisify<string, string, number, Buffer>(scrypt);

/**
 * The request with the hash in the place of the password. Throws 400 where an agent's password is changed by somebody who does not give their
 * own, or gives another one.
 */
export async function withHashedPassword(asked: ActionRequest): Promise<ActionRequest> {
  const { password, current_password, ...args } = asked.args;
  if (typeof password !== 'string') return { ...asked, args };
  const { staff } = asked.account.store;
  // A new agent has none that could be asked for.
  if (staff.one('agents', asked.name)) await demandPassword(staff.one('agents', asked.caller.agent), current_password);
  return { ...asked, args: { ...args, password: await hashed(password) } };
}

async function demandPassword(caller: AgentRecord | undefined, given: unknown): Promise<void> {
  if (typeof given !== 'string') throw refuse.arguments('current_password: is required to change a password');
  if (caller?.password !== undefined && !(await isPassword(caller.password, given)))
    throw refuse.arguments('current_password: is not the password of who asks');
}

async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await derived(password, salt, 32)).toString('hex')}`;
}

export async function isPassword(kept: string, given: string): Promise<boolean> {
  const [salt = '', hash = ''] = kept.split(':');
  return timingSafeEqual(Buffer.from(hash, 'hex'), await derived(given, salt, 32));
}
