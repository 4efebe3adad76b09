// The numbers of the account that the v3 APIs name it by: the license and the organization, drawn at the first start and kept in the file.
import { randomInt, randomUUID } from 'node:crypto';
import type { ChatStore } from './store.ts';

export interface License {
  /** The account's number: the query parameter of every request to the Customer Chat API. */
  license_id: number;
  /** The account as webhooks name it, a UUID. */
  organization_id: string;
}

/** It never changes, and almost every answer needs it. */
const known = new WeakMap<ChatStore, License>();

/** The license in this file; a file without one gets it here. */
export function licenseOf(store: ChatStore): License {
  const had = known.get(store) ?? (store.setting('license') as License | undefined);
  if (had) {
    known.set(store, had);
    return had;
  }
  const license = { license_id: randomInt(10_000_000, 99_999_999), organization_id: randomUUID() };
  store.putSetting('license', license);
  return license;
}
