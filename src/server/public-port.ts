// The port of the links in mails.
import type { Maybe } from './settings.ts';

/** Without a public address there is no port to open. */
export function publicPortOf(maybe: Maybe): number | null {
  if (maybe('CHATLEDGER_PUBLIC_URL') === null) return null;
  return Number(maybe('CHATLEDGER_PUBLIC_PORT') ?? Number(maybe('CHATLEDGER_PORT')) + 1);
}
