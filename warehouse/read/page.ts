// The requested part of a long list.

export interface Page {
  limit: number;
  offset: number;
}

export const firstPage: Page = { limit: 100, offset: 0 };
/** More than this is not listed at once. */
export const longestPage = 1000;
