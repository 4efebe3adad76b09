// No name of a metric stands outside the metric's own file, but where a page says which metric it shows and where the name means something else.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboards } from '#dashboards/dashboards.ts';
import { untargeted } from '#dashboards/tv-mode.ts';
import { allMetrics, metricOf } from '#warehouse/definitions/metrics.ts';
import { judgedBy, ownFigures, teamFigures } from '#warehouse/definitions/used.ts';
import { targetKinds } from '#warehouse/definitions/uses.ts';
import { specifiersOf, targetOf } from './arrows.ts';
import { sourceFiles } from './tree.ts';

const folder = 'warehouse/definitions/metrics';

/** Where names of metrics may stand, and why. */
const allowed: readonly { files: RegExp; reason: string }[] = [
  {
    files: /^src\/dashboards\/[\w-]+\.ts$/,
    reason: 'panels, and what pages ask beside them, name the metric that they show',
  },
  {
    files: /^warehouse\/(tables|definitions\/recipes)\//,
    reason: 'tables of stored reports and their columns have such names',
  },
  { files: /^src\/reports\/[\w-]+\.ts$/, reason: 'the reports of the vendor, by their own ids' },
  {
    files: /^warehouse\/definitions\/uses\.ts$|^src\/app\/routes\/targets\//,
    reason: 'service_level is a kind of target',
  },
];

/** Words that mean other things as well: they are names of metrics only where a metric is asked for. */
const plain = new Set(['availability', 'engagement', 'goals', 'greetings', 'occupancy', 'tags']);
/** Names of stored reports, where a metric says what it is compared with and made of. */
const ofReport = /\b(table|beside|answers): '\w+'/g;

const codeOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');

function namedIn(file: string): string[] {
  const code = codeOf(file).replaceAll(ofReport, '');
  const own = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1, -3) : undefined;
  return allMetrics
    .map(({ id }) => id)
    .filter((id) => id !== own)
    .filter((id) =>
      plain.has(id)
        ? new RegExp(`\\b(metric|recomputed): '${id}'|\\b(metricOf|run)\\('${id}'`).test(code)
        : new RegExp(`['"\`]${id}['"\`]|(?<![\\w.'])${id}: (?!number\\()`).test(code),
    );
}

test('names of metrics stand in their own files', () => {
  const strange = sourceFiles()
    .filter((file) => /^(src|warehouse)\//.test(file) && !allowed.some(({ files }) => files.test(file)))
    .flatMap((file) => namedIn(file).map((id) => `${file}: ${id}`));
  expect(strange).toEqual([]);
});
test('each place that may name metrics does', () => {
  const idle = allowed.filter(
    ({ files }) => !sourceFiles().some((file) => files.test(file) && namedIn(file).length > 0),
  );
  expect(idle).toEqual([]);
});
test('the file of a metric has its name, and only the list of metrics and other metrics import it', () => {
  expect(readdirSync(folder).sort()).toEqual(allMetrics.map(({ id }) => `${id}.ts`).sort());
  const importing = sourceFiles().filter((file) =>
    specifiersOf(file).some(
      (specifier) => /^[.#]/.test(specifier) && targetOf(file, specifier)?.startsWith(`${folder}/`),
    ),
  );
  expect(importing.filter((file) => !file.startsWith(`${folder}/`))).toEqual(['warehouse/definitions/metrics.ts']);
});
test('panels count within seconds where their metric does', () => {
  const panels = [...dashboards.flatMap((dashboard) => dashboard.panels), ...untargeted];
  const targeted = new Set(allMetrics.filter(({ target }) => target !== undefined).map(({ id }) => id));
  expect(panels.filter(({ metric, isWithin }) => targeted.has(metric) !== (isWithin === true))).toEqual([]);
  expect(panels.some(({ isWithin }) => isWithin)).toBe(true);
});
test('what a metric is used for names measures that it has', () => {
  const wrong = allMetrics.flatMap(
    ({ id, measures, judged, ownFigures: own = {}, teamFigure, outcomes = {}, chatColumn, archived }) => {
      const bases = judged && judged.basis.metric === undefined ? [judged.basis.measure] : [];
      const figures = [...Object.values(own), ...(teamFigure ? [teamFigure] : [])].flatMap(({ measure, basis }) => [
        measure,
        ...(basis === undefined ? [] : [basis]),
      ]);
      const named = [...(judged ? [judged.measure] : []), ...bases, ...figures, ...Object.values(outcomes)];
      const isOdd = chatColumn !== undefined && archived?.parts['q50']?.quantile === undefined;
      return [...named.filter((measure) => !(measure in measures)), ...(isOdd ? [chatColumn] : [])].map(
        (it) => `${id}: ${it}`,
      );
    },
  );
  expect(wrong).toEqual([]);
  const bases = [...ownFigures, ...teamFigures, ...targetKinds.map(judgedBy)].map(({ basis }) => basis);
  expect(bases.filter(({ metric, measure }) => !(measure in metricOf(metric).measures))).toEqual([]);
});
