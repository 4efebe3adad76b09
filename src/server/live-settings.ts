// The settings of a running program: the page Settings changes some of them, and whoever depends on one of these asks here each time.
import type { SettingsStore } from '#api/deps.ts';
import { Declined } from '#api/errors.ts';
import type { Setting } from '#api/contract/settings.ts';
import { readConfig, readEnvironment, type Config, type Environment, type SettingReading } from './config.ts';
import { isChangeable, savedSettingsIn, saveSettings, type SavedValues } from './saved-settings.ts';
import { shown } from './secrets.ts';
import { complaintsOf } from './settings-problems.ts';
import { settings, type SettingDefinition, type SettingName } from './settings.ts';

type Changes = Readonly<Record<string, string | null>>;

export interface LiveSettings extends SettingsStore {
  /** The settings as they are now. */
  config(): Config;
  /** Calls with them after each change. */
  onChange(listener: (config: Config) => void): void;
}

/** `first`: the settings at the start; `record` is told of all of them after each change; `read`: for tests. */
export function liveSettings(
  first: Config,
  record: (environment: Environment) => void,
  read: () => Environment = readEnvironment,
): LiveSettings {
  let config = first;
  const listeners: ((config: Config) => void)[] = [];
  return {
    config: () => config,
    onChange: (listener) => void listeners.push(listener),
    list: () => read().readings.map(settingOf),
    ownPace: () =>
      read().file.accounts.flatMap(({ id, requests_per_second }) =>
        requests_per_second === undefined ? [] : [{ account: id, requests_per_second }],
      ),
    mail: () => config.mail,
    isOpen: () => config.has_settings_page,
    change(changes) {
      assertPossible(read(), changes);
      const saved = savedSettingsIn(first.folder);
      // What is in a file that cannot be read would be lost.
      if (saved.complaints.length > 0) throw new Declined('conflict', saved.complaints.join('; '));
      saveSettings(first.folder, valuesWith(saved.values, changes));
      const environment = read();
      config = readConfig(environment);
      record(environment);
      for (const listener of listeners) listener(config);
    },
  };
}

const definitionOf = (name: SettingName): SettingDefinition => settings[name];

function settingOf({ name, value, source }: SettingReading): Setting {
  const { default: standard, meaning, is_secret = false, takes_effect = null } = definitionOf(name);
  return { name, meaning, default: standard, value: shown(name, value), source, is_secret, takes_effect };
}

/** Errors: Declined, naming each change that cannot be made. */
function assertPossible(before: Environment, changes: Changes): void {
  const told = Object.keys(changes).flatMap((name) => {
    if (!Object.hasOwn(settings, name)) return [`values.${name}: is no setting`];
    if (!isChangeable(name)) return [`values.${name}: cannot be changed while the program runs`];
    const value = changes[name] ?? null;
    const wrong = value === null ? undefined : definitionOf(name).wrong?.(value);
    return wrong === undefined ? [] : [`values.${name}: ${wrong}`];
  });
  if (told.length > 0) throw new Declined('bad_request', told.join('; '));
  const fixed = before.readings.filter(({ name, source }) => name in changes && isFixed(source));
  if (fixed.length > 0)
    throw new Declined(
      'conflict',
      fixed.map(({ name, source }) => `values.${name}: is set by ${setters[source]}, which wins`).join('; '),
    );
  const known = new Set(complaintsOf(before));
  const readings = before.readings.map((reading) => changed(reading, changes));
  const together = complaintsOf({ ...before, readings }).filter((sentence) => !known.has(sentence));
  if (together.length > 0) throw new Declined('bad_request', together.join('; '));
}

const setters: Partial<Record<SettingReading['source'], string>> = {
  environment: 'the environment',
  '.env': 'the file .env',
  file: 'a secret file',
};

const isFixed = (source: SettingReading['source']): boolean => setters[source] !== undefined;

function changed(reading: SettingReading, changes: Changes): SettingReading {
  const { name } = reading;
  if (!(name in changes)) return reading;
  const value = changes[name] ?? definitionOf(name).default;
  return { name, value, source: 'page', wrong: undefined };
}

function valuesWith(saved: SavedValues, changes: Changes): SavedValues {
  const values = Object.entries({ ...saved, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(values) as SavedValues;
}
