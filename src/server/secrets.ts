// The printable part of a setting: secrets are never printed, wherever they were set.
import { settings, type SettingDefinition, type SettingName } from './settings.ts';

/** Hides secrets, and credentials within addresses, wherever they were set. */
export function shown(name: SettingName, value: string | null): string | null {
  const { is_secret, is_address }: SettingDefinition = settings[name];
  if (value === null) return null;
  if (is_secret) return '(set)';
  return is_address || value.includes('//') ? withoutSecrets(value) : value;
}

/**
 * An address without user, password and query, even if invalid: everything up to the last @ may be a password, and so may a text after a
 * colon that is not a port; of several hosts, those behind the first are shown with their ports.
 */
export function withoutSecrets(address: string): string {
  const [, scheme = '', slashes = ''] = /^\s*((?:https?|[a-z][a-z0-9+.-]*(?=:\/)):)?(\/*)/i.exec(address) ?? [];
  const at = address.lastIndexOf('@');
  const rest = at < 0 ? address.slice(scheme.length + slashes.length) : `…${address.slice(at)}`;
  const isPort = /^(?:[^:[]*|[^:]*\[[0-9a-f:.]*\])(?::\d{1,5}(?:,(?:[^:[]*|\[[0-9a-f:.]*\]):\d{1,5})*)?(?:\/[^:]*)?$/i;
  const [place = ''] = rest.split(/[?#]/);
  const kept = isPort.test(place) ? place : place.replace(/:.*/s, ':…');
  return `${scheme}${slashes}${kept}${place === rest ? '' : '?…'}`;
}
