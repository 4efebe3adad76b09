// Interface of an action of the Agent Chat Web API v3.5.
import type { ActionV3 } from '#contract/actions.ts';
import { agentActions, type AgentActionName, type AgentAnswer, type AgentArgs } from '#contract/agent-chat.ts';
import type { ServiceAccount } from '../account.ts';
import type { ServiceCaller } from '../callers.ts';
import { act, type Turn } from '../live/turn.ts';
import { authorOf, type Author } from '../live/members.ts';

interface AgentRequest<Name extends AgentActionName> {
  account: ServiceAccount;
  caller: ServiceCaller;
  /** The agent, or the bot on whose behalf the caller acts. */
  author: Author;
  args: AgentArgs<Name>;
  /** Unix seconds. */
  now: number;
  /** Scheme, host and port under which the service was called. */
  origin: string;
}

export type AgentAction<Name extends AgentActionName> = (
  asked: AgentRequest<Name>,
) => AgentAnswer<Name> | Promise<AgentAnswer<Name>>;

/** An action that writes: all of it or nothing. */
export const writing =
  <Name extends AgentActionName>(
    work: (turn: Turn, asked: AgentRequest<Name>) => AgentAnswer<Name>,
  ): AgentAction<Name> =>
  (asked) =>
    act(
      asked.account,
      (turn) => {
        const answer = work(turn, asked);
        const { client_id } = asked.caller;
        if (client_id !== undefined) for (const change of turn.changes) change.client_id = client_id;
        return answer;
      },
      asked.origin,
    );

/** A token that reads every chat and writes to those of its groups reaches, with an action that writes, those of its groups. */
function reaching(caller: ServiceCaller, { scopes }: ActionV3): ServiceCaller {
  const is_writing = scopes.includes('chats--all:rw');
  return is_writing ? { ...caller, scopes: caller.scopes.filter((scope) => scope !== 'chats--all:ro') } : caller;
}

export const requestOf = <Name extends AgentActionName>(
  account: ServiceAccount,
  name: Name,
  caller: ServiceCaller,
  args: AgentArgs<Name>,
  origin: string,
): AgentRequest<Name> => ({
  account,
  caller: reaching(caller, agentActions[name]),
  author: authorOf(account, caller),
  args,
  now: account.now(),
  origin,
});
