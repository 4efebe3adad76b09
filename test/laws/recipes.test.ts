// What CONTRIBUTING says that an addition touches, held against one that is there: every file that names it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './tree.ts';

const naming = (names: RegExp): string[] =>
  sourceFiles()
    .filter((file) => file.endsWith('.ts') && names.test(readFileSync(file, 'utf8')))
    .sort();

test.each([
  {
    what: 'a metric: its file and its line, the arithmetic of its receipt, and the panels that show it',
    names: /\bchatDuration\b|'chat_duration'/,
    files: [
      'src/dashboards/chats.ts',
      'warehouse/definitions/metrics.ts',
      'warehouse/definitions/metrics/chat_duration.ts',
      'warehouse/definitions/recipes/chats.ts',
    ],
  },
  {
    what: 'a page: its file and its line',
    names: /\bqueue: Dashboard\b|\{ queue \} from '\.\/queue\.ts'/,
    files: ['src/dashboards/dashboards.ts', 'src/dashboards/queue.ts'],
  },
  {
    what: 'a report: its entry, who answers it, how it becomes rows, its table, our answer in its shape',
    names: /\bagents_occupancy\b/,
    files: [
      'etl/decode/reports.ts',
      'livechat/contract/reports.ts',
      'livechat/service/reports/agents_occupancy.ts',
      'livechat/service/reports/answers.ts',
      'src/reports/answers.ts',
      'warehouse/definitions/metrics/concurrent_chats.ts',
      'warehouse/tables/reports.ts',
    ],
  },
  {
    what: 'a channel of digests: its file and its lines',
    names: /\bslack\b/,
    files: ['src/digests/channels/channels.ts', 'src/digests/channels/slack.ts'],
  },
  {
    what: 'a route: its endpoint and its line, its handler and its line',
    names: /\b(listAnnotations|addAnnotations)\b/,
    files: [
      'src/api/annotations.ts',
      'src/api/app.ts',
      'src/api/contract/contract.ts',
      'src/api/contract/user-data.ts',
    ],
  },
  {
    what: 'a reader rule: what it is, what it leaves of each table, and who has it',
    names: /\bis_anonymous\b/,
    files: ['src/auth/caller.ts', 'warehouse/query/narrowed.ts', 'warehouse/query/reader.ts'],
  },
])('$what', ({ names, files }) => {
  expect(naming(names)).toEqual(files);
});
