// What the chat window of a group shows: buttons, forms, phrases, and the versions under which a client keeps them.
import { createHash } from 'node:crypto';
import type { CustomerAnswer } from '#contract/customer-chat.ts';
import type { Form, formTypes } from '#contract/customer-chat/widget.ts';
import type { ServiceAccount } from '../account.ts';
import type { GroupRecord } from '../records.ts';
import { refuse } from '../refusals.ts';
import { phrasesIn, languageOf } from './phrases.ts';

type FormType = (typeof formTypes)[number] | 'ticket';

/** The group. Throws group_not_found. */
export function groupNamed({ staff }: ServiceAccount, id: number): GroupRecord {
  const group = staff.groups.find((each) => each.id === id);
  if (!group) throw refuse.v3('group_not_found');
  return group;
}

/** A form in the language of its group. Before a chat with everybody's group the visitor may choose another. */
export function formOf({ staff }: ServiceAccount, type: FormType, { id, language }: GroupRecord): Form {
  const phrases = phrasesIn(language);
  const text = (name: string, field: keyof typeof phrases, required: boolean, kind: string) => ({
    ...{ id: `${type}_${name}`, type: kind, label: phrases[field], required },
  });
  const options = staff.groups.map((group) => ({ id: String(group.id), label: group.name, group_id: group.id }));
  const chooser = { ...text('group', 'department', false, 'group_chooser'), options };
  const fields = {
    prechat: [
      text('name', 'name', true, 'name'),
      text('email', 'email', true, 'email'),
      ...(id === 0 && options.length > 1 ? [chooser] : []),
    ],
    postchat: [text('rating', 'rate_chat', false, 'rating'), text('comment', 'leave_comment', false, 'textarea')],
    ticket: [
      text('name', 'name', true, 'name'),
      text('email', 'email', true, 'email'),
      text('subject', 'subject', false, 'subject'),
      text('message', 'message', true, 'textarea'),
    ],
  };
  return { id: `${type}_${id}`, fields: fields[type] };
}

export function configurationOf(account: ServiceAccount, group: GroupRecord): CustomerAnswer<'get_configuration'> {
  const phrases = phrasesIn(group.language);
  return {
    buttons: [
      { id: `button_${group.id}`, type: 'text', online_value: phrases.chat_now, offline_value: phrases.leave_message },
    ],
    ticket_form: formOf(account, 'ticket', group),
    prechat_form: formOf(account, 'prechat', group),
    integrations: {},
    properties: {
      group: account.store.live.groupProperties(group.id),
      license: account.store.live.licenseProperties(),
    },
  };
}

const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);

/** A client that holds one of these versions need not ask again. */
export const configVersion = (account: ServiceAccount, group: GroupRecord): string =>
  versionOf(configurationOf(account, group));
export const localizationVersion = (language: string): string => versionOf([languageOf(language), phrasesIn(language)]);
