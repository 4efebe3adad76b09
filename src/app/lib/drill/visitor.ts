// The label of a visitor without a name: readers without access to names cannot know whether one was given.
import { page } from '$app/state';

export function nameless(words: { nameless: string; nameHidden: string }): string {
  return page.data.me?.rights.includes('names:read') === false ? words.nameHidden : words.nameless;
}
