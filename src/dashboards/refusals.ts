// Refusals of the API in the words of pages and documents, where a split is chosen and not written into an address.
export const asChoice = (text: string): string =>
  text.replaceAll(/\bask with split=([a-z]+)/g, (_, split) => `choose one, or split by ${split}`);

/** Whether a choice is a parameter of an address rather than a value, such as a tag, that may hold `=` itself. */
export const isParameter = (choice: string): boolean => /^(?:split|agent)=/.test(choice);
