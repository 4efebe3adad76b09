// The file of the embedded account, for commands that write to it beside the running service.
import { existsSync } from 'node:fs';
import { openStore, type ChatStore } from '#service/store.ts';
import { Stopped } from './errors.ts';
import type { Folder } from './folder.ts';

/** The caller closes it. */
export function openServiceStore(folder: Folder): ChatStore {
  if (existsSync(folder.service)) return openStore(folder.service);
  throw new Stopped("the embedded account does not exist yet: run 'npx chatledger service' or 'npm start' first");
}
