// The 36 actions of the Agent Chat Web API v3.5, each declared once.
import type { z } from 'zod';
import { chatActions } from './agent-chat/chats.ts';
import { customerActions } from './agent-chat/customers.ts';
import { eventActions } from './agent-chat/events.ts';

export const agentActions = { ...chatActions, ...eventActions, ...customerActions } as const;
export type AgentActionName = keyof typeof agentActions;
export const agentActionNames = Object.keys(agentActions) as AgentActionName[];

export type AgentArgs<Name extends AgentActionName> = z.infer<(typeof agentActions)[Name]['args']>;
export type AgentAnswer<Name extends AgentActionName> = z.infer<(typeof agentActions)[Name]['answer']>;
