// Actions on an archived chat: replace its tags, assign a goal, send its transcript.
import { archivedChat } from '../archive/answer.ts';
import { transcriptOf } from '../archive/transcript.ts';
import { chatOf, putChat, type ServiceAccount } from '../account.ts';
import { reachedGoal } from '../goals.ts';
import { refuse } from '../refusals.ts';
import { idOf, named, type Action, type ActionRequest } from './action.ts';

export const updateChatTags: Action = ({ account, name, args }) => {
  const { tag } = args as { tag: string[] };
  const now = account.now();
  const chat = begun(account, name);
  const light = account.store.changeChat(chat.number, {
    ...account.store.body(chat.number),
    tags: [...new Set(tag)].map((each) => ({ at: now, tag: each })),
  });
  return () => {
    putChat(account, light);
    return { chats: [archivedChat(account, name, true)], total: 1, pages: 1 };
  };
};

/** Puts the goal to the visitor's latest chat, at this moment. */
export const markGoalAsSuccessful: Action = ({ account, name, args }) => {
  const { store } = account;
  const goal = named(store.staff.one('goals', idOf(name)));
  const { visitor_id } = args as { visitor_id: string };
  const now = account.now();
  const visit = store.visitsOf(visitor_id).findLast(({ started }) => started <= now);
  if (!visit) throw refuse.arguments(`visitor_id: no chat of a visitor ${visitor_id} has begun`);
  const { number } = begun(account, visit.id);
  const chat = store.body(number);
  const light = store.changeChat(number, { ...chat, goals: [...chat.goals, reachedGoal(goal, args, now)] });
  return () => {
    putChat(account, light);
    return { result: 'goal marked as successful' };
  };
};

/** Sends after all checks have passed; a rejection by the mail server becomes a refusal. */
export async function sendTranscript({ account, name, args, sendMail }: ActionRequest): Promise<unknown> {
  const { to } = args as { to: string };
  const transcript = named(transcriptOf(account, name, 'agent'));
  if (!sendMail)
    throw refuse.arguments(
      'to: this service sends no mail; start it with the address of a mail server (CHATLEDGER_SMTP_URL)',
    );
  try {
    await sendMail({ to, ...transcript });
  } catch (error) {
    throw refuse.arguments(`to: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { result: `E-mail has been sent to ${to}.` };
}

function begun(account: ServiceAccount, id: string) {
  const chat = chatOf(account, id);
  return named(chat && chat.started <= account.now() ? chat : undefined);
}
