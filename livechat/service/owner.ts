// The account's owner: the agent with the login and API key from the settings, listed like any other, without chats.
import type { AgentRecord, Staff } from './records.ts';

/** The staff with this owner, and with no other one. */
export function withOwner(staff: Staff, login: string, apiKey: string): Staff {
  const others = staff.agents
    .filter((agent) => agent.login !== login)
    .map((agent) => (agent.permission === 'owner' ? { ...agent, permission: 'administrator' as const } : agent));
  const same = staff.agents.find((agent) => agent.login === login);
  return { ...staff, agents: [{ ...(same ?? newOwner(login)), permission: 'owner', api_key: apiKey }, ...others] };
}

function newOwner(login: string): AgentRecord {
  return {
    login,
    name: 'Account Owner',
    permission: 'owner',
    avatar: 'livechat.s3.amazonaws.com/default/avatars/45bcb5f592dbf5aac8f88dcfd6bc937c.png',
    job_title: 'Owner',
    login_status: 'not accepting chats',
    daily_summary: 1,
    notifications: { new_visitor: 1, returning_visitor: 1, queued_visitor: 1, visitor_is_typing: 0, new_goal: 1 },
    max_chats_count: 6,
    groups: [],
    api_key: '',
  };
}
