// The name of a board in documents, links and addresses, next to those of pages.

export const boardName = (id: string): string => `board/${id}`;

/** The id of a board that is named so. */
export const boardNamed = (name: string): string | undefined => /^board\/([\w-]{1,64})$/.exec(name)?.[1];
