// Settings of the embedded service and its simulated account.
import type { SettingDefinition } from './settings.ts';
import { hosts, onOrOff, seed, wholeNumber } from './setting-values.ts';

export const serviceSettings = {
  CHATLEDGER_EMBEDDED_SERVICE: {
    default: 'on',
    meaning: 'off: without an account nothing starts, and no simulated one takes its place',
    wrong: onOrOff,
  },
  CHATLEDGER_SERVICE_PORT: { default: '4010', meaning: 'port of the embedded service', wrong: wholeNumber(0, 65_535) },
  CHATLEDGER_SERVICE_SEED: {
    default: '1',
    meaning: 'seed of the simulated account; with `hostile` its visitors type what attacks pages, tables and files',
    wrong: seed,
  },
  CHATLEDGER_SERVICE_DAYS: { default: '90', meaning: 'days of the simulated past', wrong: wholeNumber(1, 3650) },
  CHATLEDGER_SERVICE_OUTGOING_HOSTS: {
    default: null,
    meaning:
      'hosts that webhooks and callbacks of the embedded service may reach although they are not on the public internet, with commas: localhost:3000, 10.0.0.7:8080',
    wrong: hosts,
  },
  CHATLEDGER_SERVICE_LOGIN: { default: 'owner@example.com', meaning: "the embedded account's owner" },
  CHATLEDGER_SERVICE_API_KEY: { default: null, meaning: "the owner's API key; generated when unset", is_secret: true },
} as const satisfies Record<string, SettingDefinition>;
