// The rights of a user, for pages.
export type { Right } from '#auth/rights.ts';
