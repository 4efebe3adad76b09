// The texts of the pages about transcripts and of lists of chats; apart from the dashboards' words, which load on every page.

/** How a visitor rated a chat. */
export const ratings: Record<string, string> = {
  not_rated: 'not rated',
  rated: 'rated',
  rated_good: 'good',
  rated_bad: 'bad',
};

export const transcriptWords = {
  noChats: 'No chat in this range.',
  title: 'Transcripts',
  sentence: 'Chats as they were written: search what was said, or narrow by agent, group, tag, rating and date.',
  masked: 'Chats without names and texts, which you may not read: narrow them by agent, group, tag, rating and date.',
  search: 'Words in messages or the visitor’s name',
  searchButton: 'Search',
  rate: 'Rating',
  rates: {
    '': 'All ratings',
    rated_good: 'Rated good',
    rated_bad: 'Rated bad',
    not_rated: 'Not rated',
  } as Record<string, string>,
  survey: 'Survey after the chat',
  surveys: {
    '': 'Any survey',
    post: 'With an answer after the chat',
    comment: 'With a comment after the chat',
  } as Record<string, string>,
  found: (count: number, text: string) => (count === 0 ? 'No chat' : count === 1 ? 'One chat' : `${text} chats`),
  none: 'No chat matches.',
  noneHelp: 'Try fewer words, a longer range or fewer filters.',
  nameless: 'no name given',
  nameHidden: 'name hidden',
  nobody: 'no agent',
  failed: 'The chats could not be read.',
  takeAway: 'Take these rows away',
  columns: { visitor: 'Visitor', said: 'What was said', agents: 'Agents', rating: 'Rating', started: 'Started' },
  messages: (count: number) => (count === 1 ? 'one message' : `${count} messages`),
  comments: 'What visitors wrote after their chats',
  commentsSentence:
    'The newest comments in the survey after the chat, each leading to its chat. Answers chosen from a list are left out.',
  allComments: 'All chats with a comment',
  noComments: 'Nobody wrote a comment after a chat in this range.',
};
