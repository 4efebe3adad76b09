// `chatledger service-token`: mints a Bearer token of the embedded service; the token alone on the last line.
import { existsSync } from 'node:fs';
import { everyKnownScope as choices } from '#service/scopes.ts';
import { agentLogins } from '#service/logins.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { readConfig } from '../config.ts';
import { Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { out } from '../terminal.ts';

export function serviceToken({ agent, scope }: { agent: string; scope: string }): void {
  const config = readConfig();
  const folder = openFolder(config.folder);
  if (!existsSync(folder.service))
    throw new Stopped("the embedded account does not exist yet: run 'npx chatledger service' or 'npm start' first");
  const scopes = scope.split(',').map((name) => name.trim());
  const strange = scope === 'all' ? undefined : scopes.find((name) => !choices.includes(name));
  if (strange !== undefined)
    throw new Stopped(`--scope ${strange} is no scope; choose all, or from ${choices.join(', ')}`);
  const store = openStore(folder.service);
  try {
    const logins = agentLogins(store, config.service.login);
    if (!logins.includes(agent)) throw new Stopped(`--agent ${agent} is no agent; choose from ${logins.join(', ')}`);
    out(mintToken(store, { agent, scopes: scope === 'all' ? 'all' : scopes }));
  } finally {
    store.close();
  }
}
