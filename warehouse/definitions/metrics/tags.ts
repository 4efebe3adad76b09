// What chats were about, as far as they were tagged.
import { chatMetric, count, number } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';

export const tags = chatMetric({
  id: 'tags',
  title: 'Tags',
  alsoCalled: 'topics reasons categories subjects about',
  definition:
    'Number of chats per tag, and of chats without a tag (the row whose tag is null). A chat with two tags counts once ' +
    'in each, so the rows do not add up to all chats.',
  kind: 'A',
  recipe: recipes.tags,
  changedBy: ['tags'],
  always: ['tag'],
  archived: { rows: 'chats', agent: 'took_part', untagged: true, parts: { all_chats: count() } },
  measures: { chats: number('Chats', 'chats', 'all_chats') },
});
