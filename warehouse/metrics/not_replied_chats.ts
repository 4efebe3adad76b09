// Chats that nobody answered.
import { chatMetric, count, mean, number, over } from '../metric.ts';

export const notRepliedChats = chatMetric({
  id: 'not_replied_chats',
  title: 'Chats without a reply',
  definition:
    'Chats without any message of an agent other than the welcome message; the share is of all chats. It is a property ' +
    'of the whole chat: an agent in the question only narrows which chats.',
  kind: 'A+R',
  archived: {
    rows: 'chats',
    agent: 'took_part',
    parts: { all_chats: count(), unanswered: count('not c.is_replied') },
  },
  measures: {
    not_replied: number('Not replied', 'chats', 'unanswered'),
    share: mean('Share of all chats', 'share', over('unanswered', 'all_chats')),
  },
});
