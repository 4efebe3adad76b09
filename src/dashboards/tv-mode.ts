// The short rotation on a wall screen: the last complete hour, today so far, the current queue, and numbers with targets.
import { dashboards } from './dashboards.ts';
import type { Panel } from './panel.ts';

/** Panels by where they are defined: `queue/queued-tile`. */
function panels(...homes: string[]): Panel[] {
  return homes.map((home) => {
    const [of, id] = home.split('/');
    const found = dashboards.find((it) => it.id === of)?.panels.find((it) => it.id === id);
    if (!found) throw new Error(`there is no panel ${home}`);
    return found;
  });
}

const tile = ({ band: _, ...panel }: Panel): Panel => ({ ...panel, picture: 'tile', grain: 'total' });
const ofToday = (panel: Panel): Panel => ({ ...tile(panel), span: 'today' });

/** The last complete hour, next to the same hour a week ago. */
export const now: Panel[] = panels(
  'overview/chats-tile',
  'occupancy/most-tile',
  'overview/first-response-tile',
  'overview/missed-tile',
  'queue/queued-tile',
  'overview/waiting-tile',
).map((panel) => ({ ...tile(panel), grain: 'hour' }));

export const today: Panel[] = dashboards.find(({ id }) => id === 'overview')?.today ?? [];

export const queueToday: Panel[] = panels(
  'queue/queued-tile',
  'queue/entered-tile',
  'queue/left-tile',
  'queue/wait-tile',
  'queue/service-level',
)
  .map(ofToday)
  .concat({
    id: 'longest-wait',
    title: 'Longest wait',
    sentence: 'The longest wait that ended, of those connected and those who left.',
    unit: 'seconds',
    picture: 'tile',
    metric: 'waiting_times',
    measures: [{ measure: 'queued_max', label: 'longest' }],
    grain: 'total',
    span: 'today',
    empty: 'The longest wait.',
  });

/** Numbers that can have targets, shown where none is set. */
export const untargeted: Panel[] = panels(
  'responses/first-within',
  'queue/service-level',
  'overview/csat-tile',
  'overview/left-tile',
).map(tile);
