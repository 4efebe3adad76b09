// How the properties of the account and of its groups are set over the Configuration API v3.5; customers read them.
import { z } from 'zod';
import { groupId } from './actions.ts';
import { propertyValues } from './properties.ts';

const scopes = ['groups--all:rw'];
const nothing = z.object({});

/** The namespace by which the service assigns chats. */
export const assignmentNamespace = 'chat_assignment';
const assignment = z.object({
  /** Whether customers wait when all agents are busy, and chats whose agent is gone; true when it is not said. */
  queue_enabled: z.boolean('must be true or false').optional(),
  /** Minutes without a reply to the customer after which a chat goes to another agent; 0 for never, as when it is not said. */
  reassign_after_minutes: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(60, 'must be at most 60')
    .optional(),
});

const properties = propertyValues.superRefine((given, context) => {
  const { error } = assignment.safeParse(given[assignmentNamespace] ?? {});
  for (const { path, message } of error?.issues ?? [])
    context.addIssue({ code: 'custom', path: [assignmentNamespace, ...path], message });
});

/** `POST /v3.5/configuration/action/<name>`. What is set is put over what is there. */
export const accountPropertyConfiguration = {
  update_license_properties: { scopes, args: z.object({ properties }), answer: nothing },
  update_group_properties: { scopes, args: z.object({ id: groupId, properties }), answer: nothing },
} as const;
