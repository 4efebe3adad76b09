// The texts of the pages that search chats; apart from lists of chats, which dashboards have too.

export const searchWords = {
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
  failed: 'The chats could not be read.',
};
