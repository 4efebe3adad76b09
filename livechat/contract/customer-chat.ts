// The 33 actions of the Customer Chat Web API v3.3, each declared once.
import type { z } from 'zod';
import { customerChatActions } from './customer-chat/chats.ts';
import { widgetActions } from './customer-chat/widget.ts';

export const customerChat = { ...customerChatActions, ...widgetActions } as const;
export type CustomerActionName = keyof typeof customerChat;
export const customerActionNames = Object.keys(customerChat) as CustomerActionName[];

/** Getters that need no token; the documents name them also in these spellings. */
export const openToAnybody: readonly CustomerActionName[] = ['list_license_properties', 'list_group_properties'];
export const otherSpellings: Readonly<Record<string, CustomerActionName>> = {
  get_license_properties: 'list_license_properties',
  get_group_properties: 'list_group_properties',
};

export type CustomerArgs<Name extends CustomerActionName> = z.infer<(typeof customerChat)[Name]['args']>;
export type CustomerAnswer<Name extends CustomerActionName> = z.infer<(typeof customerChat)[Name]['answer']>;
