// What a panel shows for its answers: a picture, or why there is none.
import { isNotPulled, isSilent, toldFrom, type Answer } from '#dashboards/answer.ts';
import type { Panel } from '#dashboards/panel.ts';
import { dayName } from '#dashboards/periods.ts';
import type { Draw } from '#dashboards/pictures/draw.ts';
import type { Picture, Setting } from '#dashboards/pictures/picture.ts';
import { isParameter } from '#dashboards/refusals.ts';
import { words as pictureWords } from '#dashboards/words.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Metric } from '#api/contract/metrics.ts';
import type { Filters } from '#lib/filters.ts';
import { inTitles, type MetricOutcome } from '#lib/metric-question.ts';
import { words } from '#lib/words.ts';

export interface Emptiness {
  kind: 'empty' | 'uncompared' | 'not_yet' | 'not_pulled' | 'too_few' | 'refused' | 'failed';
  text: string;
  /** What can be chosen instead. */
  choices: string[];
}

interface PanelState {
  answers: Answer[];
  /** Undefined while loading, and if there is an `emptiness`. */
  picture: Picture | undefined;
  emptiness: Emptiness | undefined;
}

/** The context for displaying answers. */
interface PanelContext {
  draw: Draw;
  setting: Setting;
  filters: Filters;
  account: Account;
  metrics: Metric[];
}

/** `outcomes`: undefined until the first arrive. `panel` shows the selected measures. */
export function panelState(
  panel: Panel,
  outcomes: readonly MetricOutcome[] | undefined,
  context: PanelContext,
): PanelState {
  const answers = outcomes?.flatMap((it) => (it.kind === 'answered' ? [it.answer] : [])) ?? [];
  if (!outcomes) return { answers, picture: undefined, emptiness: undefined };
  const measures = panel.measures.map((it) => it.measure);
  const isDrawable = outcomes.every(({ kind }) => kind === 'answered') && !isSilent(answers, measures);
  const picture = isDrawable ? context.draw(panel, answers, context.setting) : undefined;
  if (!picture) return { answers, picture, emptiness: emptinessOf(panel, outcomes, answers, context) };
  if (picture.charts.length > 0) return { answers, picture, emptiness: undefined };
  const isChanges = panel.picture === 'changes';
  return {
    answers,
    picture,
    emptiness: isChanges ? told('uncompared', words.panel.uncompared) : told('empty', panel.empty),
  };
}

const told = (kind: Emptiness['kind'], text: string, choices: string[] = []): Emptiness => ({ kind, text, choices });

/** The first reason that holds. */
function emptinessOf(
  panel: Panel,
  outcomes: readonly MetricOutcome[],
  answers: Answer[],
  { filters, account, metrics, setting: { locale } }: PanelContext,
): Emptiness {
  const refused = outcomes.find((it) => it.kind === 'refused');
  if (refused) {
    // What is written into an address has controls here.
    const choices = refused.choices.filter((it) => !isParameter(it));
    return told('refused', inTitles(refused.message, metrics), choices);
  }
  const failed = outcomes.find((it) => it.kind === 'failed');
  if (failed) return told('failed', failed.message);
  const notGiven = panel.measures.map((it) => answers[0]?.not_given?.[it.measure]).find(Boolean);
  if (notGiven) return told('refused', inTitles(notGiven, metrics));
  const least = toldFrom(answers);
  if (least !== undefined) return told('too_few', pictureWords.toldFrom(least));
  if (filters.to < account.since)
    return told('not_pulled', words.panel.notPulled(dayName(account.since, locale, true)));
  return isNotPulled(answers) ? told('not_yet', words.panel.notYet) : told('empty', panel.empty);
}
