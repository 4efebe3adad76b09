// `chatledger service-client add`: registers a program that may ask agents of the embedded service for tokens (OAuth).
import { addClient, wrongRedirect } from '#service/authorization/clients.ts';
import { everyKnownScope } from '#service/scopes.ts';
import { readConfig } from '../config.ts';
import { Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { openServiceStore } from '../service-store.ts';
import { out } from '../terminal.ts';
import { scopesIn } from './service-token.ts';

interface ServiceClientOptions {
  name: string;
  redirect: string[];
  scope: string;
  confidential?: boolean;
}

export function serviceClient(
  action: string,
  { name, redirect, scope, confidential = false }: ServiceClientOptions,
): void {
  if (action !== 'add') throw new Stopped(`service-client ${action} is not known; it can add`);
  if (name.trim() === '' || name.length > 255) throw new Stopped('--name must have 1 to 255 characters');
  for (const address of redirect) {
    const wrong = wrongRedirect(address);
    if (wrong !== undefined) throw new Stopped(`--redirect ${address} ${wrong}`);
  }
  const scopes = scope === 'all' ? everyKnownScope : scopesIn(scope);
  const store = openServiceStore(openFolder(readConfig().folder));
  try {
    const asked = { name: name.trim(), redirect_uris: redirect, scopes, is_confidential: confidential };
    const { client_id, client_secret } = addClient(store, asked);
    out(`client_id ${client_id}`);
    if (client_secret !== undefined) out(`client_secret ${client_secret}`);
  } finally {
    store.close();
  }
}
