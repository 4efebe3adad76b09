// The generated pages of docs/: settings, metrics, columns and the methods of the embedded service. `npm run docs` writes them; a test fails when they are stale.
import { writeFileSync } from 'node:fs';
import { describeField } from '#contract/fields.ts';
import { restMethods, type RestMethod } from '#contract/rest-v2.ts';
import { catalogue } from '#warehouse/definitions/metrics.ts';
import { originOf } from '#warehouse/tables/origins.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { sinceOf, tableVersions } from '#warehouse/tables/versions.ts';
import { sectionsBesideMethods } from './service-docs.ts';
import { chatActionSections } from './chat-actions-docs.ts';
import { settingNames, settings, type SettingDefinition } from './settings.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function settingsPage(): string {
  const rows = settingNames.map((name) => {
    const { default: standard, meaning, takes_effect = '' }: SettingDefinition = settings[name];
    return `| \`${name}\` | ${standard === null ? '' : `\`${standard}\``} | ${cell(meaning)} | ${takes_effect} |`;
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
    'Those with an entry in the last column can be changed on the page Settings while the program runs; they are kept in `settings.json` of the data folder,',
    'which a backup holds. What the environment, `.env` or a secret file sets wins over that page.',
    '`npx chatledger doctor` prints each one, where it comes from and what is wrong with it.',
    'This page is generated from `src/server/settings.ts`.',
    '',
    '| variable | default | meaning | takes effect, if changed on the page Settings |',
    '| --- | --- | --- | --- |',
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

/** Tables of what came from the source. */
export function columnsPage(): string {
  const parts = tables.flatMap(({ schema, name, comment, columns }) => {
    const rows = Object.entries(columns).map(([column, { type, comment: about }]) => {
      const { request = '', fields = [], decoder = '' } = originOf(`${schema}.${name}`, column) ?? {};
      const from = fields.map((field) => `\`${field}\``).join(', ');
      const since = sinceOf(`${schema}.${name}`, column)?.version ?? '';
      return {
        text: `| \`${column}\` | ${type} | ${cell(about)} | ${from} | ${since} |`,
        read: request && `\`${request}\`, read by \`${decoder}\``,
      };
    });
    const read = rows.find((row) => row.read !== '')?.read;
    if (read === undefined) return [];
    const lines = rows.map(({ text }) => text);
    return [
      ...[`## \`${schema}.${name}\``, '', `${cell(comment)} From ${read}.`, ''],
      ...['| column | type | meaning | fields | since |', '| --- | --- | --- | --- | --- |', ...lines, ''],
    ];
  });
  return [
    '# Columns and their source',
    '',
    'Which field of which answer (REST API v2.0) a column of the published file comes from, and which file decodes it; the page SQL shows it beside each column, and',
    '`GET /api/sql/tables` gives it to programs. `[]` is each entry of a list, `*` each key; several fields make one value together. Columns without fields are counted by the',
    'program (what the question of a report was, when and by which pull a row came). Lines are `messages` where a chat has no `events`; records of the v3 archive are brought into the form of',
    '`GET /chats` by `etl/decode/threads.ts` first. A test changes each field in turn and looks which columns are others.',
    'This page is generated from `warehouse/tables/`.',
    '',
    ...versionsSection(),
    ...parts,
  ].join('\n');
}

function versionsSection(): string[] {
  const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const rows = tableVersions.map(({ version, release, tables: whole = [], columns = {}, before }) => {
    const added = Object.entries(columns).map(([table, names]) => `${code(names)} of \`${table}\``);
    const what = [...(whole.length > 0 ? [code(whole)] : []), ...added].join('; ') || 'everything else';
    return `| ${version} | ${release} | ${what} | ${before} |`;
  });
  return [
    '## Versions of the tables',
    '',
    'Since which version a column is there, in the last column of the tables below. A snapshot is as its file was when it was published: `ledger.versions` says of a file when it reached which',
    'version, and `GET /api/sql/tables` gives for each column `since` (`version`, `release`, `reached_at`). A statement `as_of` an earlier day that names a column which came later fails. Views of the schema `metrics` are made',
    'anew with each publication, and their comments say the version of the definition.',
    '',
    '| version | release | added | of what was pulled before |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ];
}

export function servicePage(): string {
  const rows = Object.entries(restMethods as Record<string, RestMethod>).map(
    ([id, { verb, path, scopes, who, query, body }]) => {
      const read = Object.keys(query?.shape ?? {}).map((name) => `\`${name}\``);
      const written = Object.entries(body ?? {}).map(
        ([name, field]) => `\`${name}\`${field.is_required ? ' (required)' : ''}: ${describeField(field)}`,
      );
      const allowed = scopes.map((scope) => `\`${scope}\``).join(', ');
      const given = [...read, ...written].join('; ');
      return `| \`${id}\` | \`${verb} ${path.replace(':name', '<name>')}\` | ${who} | ${allowed} | ${cell(given)} |`;
    },
  );
  return [
    '# The embedded service',
    '',
    'Its REST API v2.0 answers and changes things for real; what was acknowledged survives the end of the process. Bodies are JSON or',
    'forms with brackets (`tag[]=a`, `rules[0][type]=url_current`); success is exactly 200; unknown fields are ignored. Wrong arguments are',
    '400 with `{"errors": ["<argument>: <what is wrong>"]}`, bad credentials 401, missing rights or scopes 403, unknown things 404.',
    'Agents who are not administrators change their own profile only (`password`, `name`, `job_title`, `daily_summary`, `notifications`,',
    '`login_status`, `status`). A status that was set holds until the simulated schedule of the agent next changes it. The statistics of a',
    'removed agent are gone, those of the account stay; an agent who is made again under the same login begins offline, and has the',
    'statistics of that login. The chats that a removed agent had open go on without them, those to come have colleagues; the simulation gives chats to new agents from the next day. The API key is in an',
    'answer only for the agent it belongs to, by that key or by a token that may read profiles; the key of the owner is that of the settings.',
    'This page is generated from `livechat/contract/rest-v2.ts`.',
    '',
    '| method | request | who | scopes of a token | arguments |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...chatActionSections(),
    ...sectionsBesideMethods(),
  ].join('\n');
}

if (import.meta.main) {
  writeFileSync('docs/service.md', servicePage());
  writeFileSync('docs/settings.md', settingsPage());
  writeFileSync('docs/metrics.md', metricsPage());
  writeFileSync('docs/columns.md', columnsPage());
}
