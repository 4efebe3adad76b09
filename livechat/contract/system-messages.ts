// Texts of the system messages of a thread by type; %words% are replaced by the values that the message carries as `text_vars`.

const systemMessages = {
  agent_added: '%initiator% added %agent% to the chat',
  agent_joined: '%agent% joined the chat',
  agent_left: '%agent% left the chat',
  agent_removed: '%initiator% removed %agent% from the chat',
  archived_customer_disconnected: '%customer% left the chat',
  chat_transferred: '%initiator% transferred the chat to %targets%',
  customer_added: '%initiator% added %customer% to the chat',
  customer_banned: 'Chat archived because customer was banned by %agent% for %duration% day(s)',
  manual_archived_agent: '%agent% archived the chat',
  manual_archived_customer: '%customer% archived the chat',
  'rating.chat_commented': '%customer% left the following comment: %comment%',
  'rating.chat_rated': '%customer% rated the chat as %score%',
  'rating.chat_rating_canceled': '%customer% canceled the chat rating',
  'routing.archived_deleted': 'The chat was closed because %agent% account had been deleted',
  'routing.archived_inactive': 'Chat archived due to %duration% minutes of inactivity',
  'routing.archived_offline': 'Chat archived due to no available agents',
  'routing.archived_signed_out': 'The chat was closed because %agent% had signed out',
  'routing.assigned_deleted': 'Chat assigned to %agent_added% because %agent_removed% account had been deleted',
  'routing.assigned_signed_out': 'Chat assigned to %agent_added% because %agent_removed% had signed out',
  'routing.idle': 'Chat is idle due to %duration% minutes of inactivity',
  'routing.unassigned_deleted': 'Customer was queued because %agent% account has been deleted',
  'routing.unassigned_signed_out': 'Customer was queued because %agent% had signed out',
} as const;
export type SystemMessageType = keyof typeof systemMessages;

/** The text of a message with its words put in. */
export const systemText = (type: SystemMessageType, text_vars: Readonly<Record<string, string>>): string =>
  systemMessages[type].replace(/%(\w+)%/g, (whole, word: string) => text_vars[word] ?? whole);
