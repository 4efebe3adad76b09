// A document that takes no time to make.
import type { RenderJob } from '#digests/render/job.ts';

export const job = (chats: number): RenderJob => ({
  format: 'panel.xlsx',
  about: {
    dated: '2026-05-05T10:00:00.000Z',
    cover: { label: 'a week' },
    names: {},
    targets: [],
    keyFigures: [],
    sections: [
      {
        title: 'Chats',
        sentence: '',
        keyFigures: [],
        panels: [
          {
            dashboard: 'chats',
            panel: {
              id: 'volume',
              title: 'Chats',
              sentence: '',
              unit: 'count',
              picture: 'bars',
              metric: 'total_chats',
              measures: [{ measure: 'chats', label: 'Chats' }],
              grain: 'asked',
              empty: '',
            },
            answers: [
              {
                metric: 'total_chats',
                timezone: 'UTC',
                from: '',
                to: '',
                grain: 'day',
                rows: [{ state: 'complete', period: '2026-05-05', chats }],
              },
            ],
          },
        ],
      },
    ],
  },
});
