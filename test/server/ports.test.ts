// Which ports the settings open: one for dashboards and API, and one for links in mails where there is a public address.
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { complaintsOf } from '#server/settings-problems.ts';
import { readConfig, readEnvironment } from '#server/config.ts';

const environment = (settings: Record<string, string>) => readEnvironment(settings, tmpdir());
const CHATLEDGER_PUBLIC_URL = 'https://numbers.example';

describe('the port of links', () => {
  test('is the one after that of the dashboards, or the one that is named, and none without a public address', () => {
    const port = (settings: Record<string, string>) => readConfig(environment(settings)).public_port;
    expect(port({})).toBeNull();
    expect(port({ CHATLEDGER_PUBLIC_PORT: '8080' })).toBeNull();
    expect(port({ CHATLEDGER_PUBLIC_URL })).toBe(3001);
    expect(port({ CHATLEDGER_PUBLIC_URL, CHATLEDGER_PORT: '8000' })).toBe(8001);
    expect(port({ CHATLEDGER_PUBLIC_URL, CHATLEDGER_PUBLIC_PORT: '8080' })).toBe(8080);
  });

  test.each([
    [{ CHATLEDGER_PUBLIC_PORT: '3000' }, 'CHATLEDGER_PUBLIC_PORT must differ from CHATLEDGER_PORT'],
    [{ CHATLEDGER_PORT: '0' }, 'CHATLEDGER_PUBLIC_PORT must be set beside CHATLEDGER_PORT=0'],
    [{ CHATLEDGER_PORT: '65535' }, 'CHATLEDGER_PUBLIC_PORT must be set beside CHATLEDGER_PORT=65535'],
    [{ CHATLEDGER_PUBLIC_PORT: '0' }, 'CHATLEDGER_PUBLIC_PORT=0 must be a whole number from 1 to 65535'],
  ])('%j is refused', (settings, sentence) => {
    const complaints = complaintsOf(environment({ CHATLEDGER_PUBLIC_URL, ...settings }));
    expect(complaints).toEqual([expect.stringContaining(sentence)]);
  });
});
