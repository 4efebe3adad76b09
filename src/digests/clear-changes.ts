// Finds significant changes: all key figures whose change exceeds chance, largest first, each with its receipt.
import type { NamesBySplit } from '#dashboards/names.ts';
import type { Answer } from '#dashboards/answer.ts';
import { receiptQuery, type Cell } from '#dashboards/cell.ts';
import { than as comparedWith } from '#dashboards/comparison.ts';
import { underHours } from '#dashboards/business-hours.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Panel, type SeesAgents } from '#dashboards/panel.ts';
import { mostOfChange } from '#dashboards/pictures/changes.ts';
import type { TileChange } from '#dashboards/pictures/tile-change.ts';
import { questions } from '#dashboards/questions.ts';
import { light } from '#dashboards/theme.ts';
import { words as silences } from '#dashboards/words.ts';
import { grainOf, type DigestQuestions } from './digest-questions.ts';
import type { KeyFigure } from './document.ts';
import { words } from './words.ts';

export interface ClearChange {
  text: string;
  /** The receipt of the number, below the address of the pages. */
  path?: string;
}

/** More are not read. */
const most_told = 3;

interface Candidate {
  panel: Panel;
  /** The sentence, without its causes. */
  text: string;
  /** Whether the whole period changed, not only its final days: contributions are known for the whole only. */
  isWhole: boolean;
  distance: number;
  cell: Cell | undefined;
}

/** One sentence per change; a single one if nothing changed significantly or there is nothing to compare with. */
export async function clearChanges(
  asking: DigestQuestions,
  keyFigures: readonly KeyFigure[],
  { names, locale, agents }: { names: NamesBySplit; locale: string; agents: SeesAgents },
): Promise<ClearChange[]> {
  const all = keyFigures.flatMap(({ title, panel, figures }) =>
    figures.flatMap(({ text, change, cell }): Candidate[] =>
      change?.clear === undefined
        ? []
        : [
            {
              panel,
              text: sentenceOf(title, text, change),
              isWhole: !change.isOfFinalDays,
              distance: change.clear,
              cell,
            },
          ],
    ),
  );
  if (all.length === 0) return [{ text: noneIn(keyFigures, locale, asking.scope) }];
  all.sort((one, other) => other.distance - one.distance);
  return Promise.all(
    all.slice(0, most_told).map(async ({ panel, text, isWhole, cell }) => ({
      text: [text, isWhole ? await causesOf(asking, panel, { names, locale, agents }) : ''].filter(Boolean).join(' '),
      ...(cell ? { path: receiptPath(cell, asking) } : {}),
    })),
  );
}

const sentenceOf = (title: string, is: string, { isOfFinalDays, text }: TileChange): string =>
  isOfFinalDays ? words.change.clearOfFinalDays(title, is, text) : words.change.clear(title, is, text);

function noneIn(keyFigures: readonly KeyFigure[], locale: string, { compare }: DigestQuestions['scope']): string {
  if (keyFigures.length === 0) return words.noKeyFigures;
  if (compare === 'none') return words.notCompared;
  const isNotPulled = ({ change }: { change?: TileChange }): boolean => change?.text === silences.notPulledBefore;
  const isCompared = ({ change }: { change?: TileChange }): boolean =>
    change !== undefined && change.text !== silences.noComparison && !isNotPulled({ change });
  const compared = keyFigures.find(({ figures }) => figures.some(isCompared))?.answer;
  const than = compared && comparedWith(compared, locale);
  if (than) return words.change.none(than);
  return keyFigures.some(({ figures }) => figures.some(isNotPulled)) ? words.notPulledBefore : words.noChange;
}

/** Who and what brought it, where a page divides the change of this measure. */
async function causesOf(
  asking: DigestQuestions,
  { metric, measures: [own], split }: Panel,
  { names, locale, agents }: { names: NamesBySplit; locale: string; agents: SeesAgents },
): Promise<string> {
  if (split?.length) return '';
  for (const panel of dashboards.flatMap((dashboard) =>
    panelsFor(underHours(dashboard.panels, asking.scope.filters.hours), agents),
  )) {
    if (panel.picture !== 'changes') continue;
    const measure = panel.measures.find((it) => (it.metric ?? panel.metric) === metric && it.measure === own?.measure);
    if (!measure) continue;
    const divided = { ...panel, measures: [measure] };
    const outcomes = await Promise.all(questions(divided).map((question) => asking.ask({ ...question, of: divided })));
    const answers = outcomes.flatMap((outcome): Answer[] => (outcome.kind === 'answered' ? [outcome.answer] : []));
    return mostOfChange(divided, answers, { theme: light, locale, names });
  }
  return '';
}

function receiptPath(cell: Cell, { scope: { period, timezone, filters }, groups, context }: DigestQuestions): string {
  const query = receiptQuery(cell, {
    account: context.account.id,
    ...{ from: period.from, to: period.to, timezone, grain: grainOf(period, cell.metric) },
    ...{ group: groups.map(String), agent: [...filters.agent], tag: [...filters.tag], variable: [...filters.variable] },
  });
  return `/receipt/${encodeURIComponent(cell.metric)}?${query}`;
}
