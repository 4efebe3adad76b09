// Titles of declared variables by id.
import { nameTable } from '#dashboards/names.ts';
import type { Account } from '#api/contract/accounts.ts';

export const variableTitles = ({ variables }: Pick<Account, 'variables'>): Record<string, string> =>
  nameTable(variables.map(({ id, title }) => [id, title]));
