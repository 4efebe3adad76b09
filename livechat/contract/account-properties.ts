// How the properties of the account and of its groups are set over the Configuration API v3.5; customers read them.
import { z } from 'zod';
import { groupId } from './actions.ts';
import { propertyValues } from './properties.ts';

const scopes = ['groups--all:rw'];
const nothing = z.object({});

/** `POST /v3.5/configuration/action/<name>`. What is set is put over what is there. */
export const accountPropertyConfiguration = {
  update_license_properties: { scopes, args: z.object({ properties: propertyValues }), answer: nothing },
  update_group_properties: { scopes, args: z.object({ id: groupId, properties: propertyValues }), answer: nothing },
} as const;
