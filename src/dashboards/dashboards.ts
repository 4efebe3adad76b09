// Every dashboard, in the order of the menu.
import { chats } from './chats.ts';
import { greetings } from './greetings.ts';
import { goals } from './goals.ts';
import { occupancy } from './occupancy.ts';
import { overview } from './overview.ts';
import type { Dashboard } from './panel.ts';
import { queue } from './queue.ts';
import { ratings } from './ratings.ts';
import { responses } from './responses.ts';
import { tickets } from './tickets.ts';

export const dashboards: Dashboard[] = [
  overview,
  chats,
  queue,
  responses,
  occupancy,
  ratings,
  goals,
  greetings,
  tickets,
];
