// The generated pages of docs/: settings and metrics. `npm run docs` writes them; a test fails when they are stale.
import { writeFileSync } from 'node:fs';
import { catalogue } from '#warehouse/definitions/metrics.ts';
import { settingNames, settings, type SettingDefinition } from './settings.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function settingsPage(): string {
  const rows = settingNames.map((name) => {
    const { default: standard, meaning } = settings[name];
    return `| \`${name}\` | ${standard === null ? '' : `\`${standard}\``} | ${cell(meaning)} |`;
  });
  return [
    '# Settings',
    '',
    'Environment variables; a `.env` file in the working folder is read too, the environment wins.',
    `Secrets may stand in files instead: ${settingNames
      .filter((name) => (settings[name] as SettingDefinition).is_secret)
      .map((name) => `\`${name}_FILE\``)
      .join(', ')} name`,
    'one each, as do the variables that `chatledger.json` names with `_FILE` behind them; a file that cannot be read, or one besides the variable itself, stops the start.',
    '`npx chatledger doctor` prints each one, where it comes from and what is wrong with it.',
    'This page is generated from `src/server/settings.ts`.',
    '',
    '| variable | default | meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

export function metricsPage(): string {
  const parts = catalogue().flatMap(({ id, title, kind, version, definition, measures, splits, grains }) => [
    `## ${title} (\`${id}\`)`,
    '',
    `${kind}, version ${version}. ${cell(definition)}`,
    '',
    '| measure | title | unit |',
    '| --- | --- | --- |',
    ...Object.entries(measures).map(([name, measure]) => `| \`${name}\` | ${cell(measure.title)} | ${measure.unit} |`),
    '',
    `Splits: ${splits.map((split) => `\`${split}\``).join(', ') || 'none'}. Grains: ${grains.map((grain) => `\`${grain}\``).join(', ')}.`,
    '',
  ]);
  return [
    '# Metrics',
    '',
    '`A` is recomputed from the archived chats, `R` is what only the Reports API gives, `A+R` is both.',
    'This page is generated from `warehouse/definitions/metrics/`.',
    '',
    ...parts,
  ].join('\n');
}

if (import.meta.main) {
  writeFileSync('docs/settings.md', settingsPage());
  writeFileSync('docs/metrics.md', metricsPage());
}
