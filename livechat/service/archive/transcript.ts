// The mail with the lines of a chat.
import type { ServiceAccount } from '../account.ts';
import { archivedChat } from './answer.ts';

interface Transcript {
  subject: string;
  text: string;
}

/** Undefined without such a chat in the archive. To customers go the lines that they saw, not those that agents wrote to one another. */
export function transcriptOf(
  account: ServiceAccount,
  id: string,
  reader: 'agent' | 'customer',
): Transcript | undefined {
  const chat = archivedChat(account, id, false);
  if (!chat) return undefined;
  const seen = chat.messages.filter(({ user_type }) => reader === 'agent' || user_type !== 'supervisor');
  const lines = seen.map(({ date, author_name, text }) => `${date}  ${author_name}: ${text}`);
  return {
    subject: `Transcript of chat ${chat.id}`,
    text: [`Chat ${chat.id} with ${chat.visitor.name ?? ''}, ${chat.started}`, '', ...lines, ''].join('\n'),
  };
}
