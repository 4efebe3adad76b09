// Texts of lists of chats; separate from the dashboards' texts, which load on every page.

/** How a visitor rated a chat. */
export const ratings: Record<string, string> = {
  not_rated: 'not rated',
  rated: 'rated',
  rated_good: 'good',
  rated_bad: 'bad',
};

export const transcriptWords = {
  noChats: 'No chat in this range.',
  nameless: 'no name given',
  nameHidden: 'name hidden',
  nobody: 'no agent',
  takeAway: 'Export these chats',
  messages: (count: number) => (count === 1 ? 'one message' : `${count} messages`),
  comments: 'What visitors wrote after their chats',
  commentsSentence:
    'The newest comments in the survey after the chat, each leading to its chat. Answers chosen from a list are left out.',
  commentsFailed: 'The comments could not be loaded.',
  allComments: 'All chats with a comment',
  noComments: 'Nobody wrote a comment after a chat in this range.',
};
