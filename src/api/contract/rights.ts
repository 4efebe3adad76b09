// What somebody may do, for pages.
export type { Right } from '#auth/rights.ts';
