// The system messages of a thread by type: their texts, in which the values that a message carries as `text_vars` replace %words%, and their triggers.

interface SystemMessage {
  /** Of several, the one is said whose words are those that the message carries. */
  texts: readonly [string, ...string[]];
  /** What causes it. */
  when: string;
}

const noOther = 'when no other can be assigned and the queue is off';
const replaced = 'when another agent can be assigned';
const waits = 'when no other can be assigned and the queue is on';
const deleted = 'the agent of the chat is removed from the account';
const signed_out = 'the agent of the chat goes offline';
const remotely = 'somebody else sets the agent of the chat offline';
const other = 'the agent of the chat is in none of its groups any more';

export const systemMessages = {
  agent_added: said('%initiator% added %agent% to the chat', '`add_user_to_chat` by another, with an agent there'),
  agent_joined: said('%agent% joined the chat', '`add_user_to_chat` by the agent, with another there'),
  agent_left: said('%agent% left the chat', '`remove_user_from_chat` by the agent'),
  agent_removed: said('%initiator% removed %agent% from the chat', '`remove_user_from_chat` by another'),
  archived_customer_disconnected: said('%customer% left the chat', 'the customer comes back by another way'),
  chat_transferred: said('%initiator% transferred the chat to %targets%', '`transfer_chat`'),
  customer_added: said('%initiator% added %customer% to the chat', '`add_user_to_chat` of a customer'),
  customer_banned: said(
    'Chat archived because customer was banned by %agent% for %duration% day(s)',
    '`ban_customer` during the chat',
  ),
  customer_updated: {
    texts: [
      "%initiator% has changed customer's name to %customer_name%",
      'Customer’s name has been changed to %customer_name%',
      "%initiator% has changed customer's email to %customer_email%",
      'Customer’s email has been changed to %customer_email%',
      "%initiator% has changed customer's name and email to %customer_name%, %customer_email%",
      'Customer’s name and email has been changed to %customer_name%, %customer_email%',
    ],
    when: '`update_customer` of Agent Chat changes name or e-mail during the chat; without initiator by a bot',
  },
  manual_archived_agent: said('%agent% archived the chat', '`deactivate_chat` by an agent'),
  manual_archived_customer: said('%customer% archived the chat', '`deactivate_chat` by the customer'),
  'rating.chat_commented': said('%customer% left the following comment: %comment%', 'the customer comments the rating'),
  'rating.chat_rated': said('%customer% rated the chat as %score%', 'the customer rates the chat'),
  'rating.chat_rating_canceled': said('%customer% canceled the chat rating', 'the customer takes the rating back'),
  'routing.archived_deleted': said(
    'The chat was closed because %agent% account had been deleted',
    `${deleted}, ${noOther}`,
  ),
  'routing.archived_inactive': said(
    'Chat archived due to %duration% minutes of inactivity',
    'nobody says anything for so long',
  ),
  'routing.archived_offline': said('Chat archived due to no available agents', 'the wait in the queue is over'),
  'routing.archived_other': said('The chat was closed', `${other}, ${noOther}`),
  'routing.archived_remotely_signed_out': said(
    'The chat was closed because %agent% had been remotely signed out',
    `${remotely}, ${noOther}`,
  ),
  'routing.archived_signed_out': said(
    'The chat was closed because %agent% had signed out',
    `${signed_out}, ${noOther}`,
  ),
  'routing.assigned_deleted': said(
    'Chat assigned to %agent_added% because %agent_removed% account had been deleted',
    `${deleted}, ${replaced}`,
  ),
  'routing.assigned_inactive': said(
    "Chat assigned to %agent_added% because %agent_removed% hasn't replied in %duration% minutes",
    `the customer has no reply for \`chat_assignment.reassign_after_minutes\`, ${replaced}`,
  ),
  // The vendor's own documentation gives this text, also for a chat that goes on.
  'routing.assigned_other': said('The chat was closed', `${other}, ${replaced}`),
  'routing.assigned_remotely_signed_out': said(
    'Chat assigned to %agent_added% because %agent_removed% had been remotely signed out',
    `${remotely}, ${replaced}`,
  ),
  'routing.assigned_signed_out': said(
    'Chat assigned to %agent_added% because %agent_removed% had signed out',
    `${signed_out}, ${replaced}`,
  ),
  'routing.idle': said('Chat is idle due to %duration% minutes of inactivity', 'nobody says anything for so long'),
  'routing.unassigned_deleted': said(
    'Customer was queued because %agent% account has been deleted',
    `${deleted}, ${waits}`,
  ),
  'routing.unassigned_other': said('Chat is unassigned', `${other}, ${waits}`),
  'routing.unassigned_remotely_signed_out': said(
    'Customer was queued because %agent% had been remotely signed out',
    `${remotely}, ${waits}`,
  ),
  'routing.unassigned_signed_out': said(
    'Customer was queued because %agent% had signed out',
    `${signed_out}, ${waits}`,
  ),
  transcript_requested: said(
    '%customer% requested the chat transcript to be sent to %email%',
    'the customer sets `routing.transcript_email` of the thread',
  ),
  transcript_sent: said(
    '%customer% sent the chat transcript to %email%',
    'the mail with it is sent after the end of the chat',
  ),
} as const satisfies Record<string, SystemMessage>;
export type SystemMessageType = keyof typeof systemMessages;

/** Types that no method of the four APIs leads to, with the reason. */
export const unsaidSystemMessages: Readonly<Record<string, string>> = {
  customer_removed: '`remove_user_from_chat` takes agents only',
  'routing.archived_disconnected': 'agents of these APIs hold no connection that could be lost',
  'routing.assigned_disconnected': 'agents of these APIs hold no connection that could be lost',
  'routing.unassigned_disconnected': 'agents of these APIs hold no connection that could be lost',
  system_archived: 'an account stays in its instance of the service',
};

function said(text: string, when: string): SystemMessage {
  return { texts: [text], when };
}

const words = /%(\w+)%/g;
const wordsOf = (text: string): string[] => [...text.matchAll(words)].map(([, word]) => word!);

/** The text of a message with its words put in. Throws when the type has no text with exactly these words. */
export function systemText(type: SystemMessageType, text_vars: Readonly<Record<string, string>>): string {
  const given = new Set(Object.keys(text_vars));
  const text = (systemMessages[type] as SystemMessage).texts.find(
    (each) => given.symmetricDifference(new Set(wordsOf(each))).size === 0,
  );
  if (text === undefined) throw new Error(`${type} has no text with the words ${[...given].join(', ')}`);
  return text.replace(words, (_, word: string) => text_vars[word]!);
}
