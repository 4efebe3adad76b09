// One agent's own page: panels of other pages, asked of this agent only.
import { busyHours, countries, firstResponse, missed, tags, volume } from './chats.ts';
import { occupancy } from './occupancy.ts';
import { overview } from './overview.ts';
import type { Dashboard, Panel } from './panel.ts';
import { ratings } from './ratings.ts';
import { responses } from './responses.ts';

const from = ({ panels }: Dashboard, ...ids: string[]): Panel[] => panels.filter(({ id }) => ids.includes(id));

export const agentPanels: Panel[] = [
  ...from(overview, 'chats-tile', 'csat-tile', 'first-response-tile', 'missed-tile'),
  volume,
  ...from(ratings, 'csat'),
  missed,
  firstResponse,
  ...from(responses, 'response'),
  ...from(occupancy, 'occupancy', 'chatting-time', 'availability'),
  tags,
  countries,
  busyHours,
];
