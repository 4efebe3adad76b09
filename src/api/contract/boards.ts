// Boards: panels of the pages, chosen, ordered and sized by hand, for their maker or for everybody.
import { z } from '@hono/zod-openapi';
import { most_panels } from '#dashboards/boards.ts';
import { panelsShape } from '#dashboards/board-shape.ts';
import { downloadDashboard } from './digests.ts';
import { longest_title } from '#dashboards/longest-title.ts';
import { endpoint, line, unpublished } from './endpoint.ts';

const Board = z
  .object({
    id: z.string(),
    title: z.string(),
    is_shared: z.boolean().openapi({ description: 'Everybody sees it' }),
    owner_name: z.string().openapi({ description: 'Who made it; empty: nobody who is still there' }),
    is_own: z.boolean(),
    may_change: z.boolean(),
    panels: panelsShape,
    version: z.int().openapi({ description: 'A change names the version that it was made from' }),
    changed_at: z.iso.datetime(),
  })
  .openapi('Board');
export type Board = z.infer<typeof Board>;

const content = {
  title: line(longest_title),
  is_shared: z.boolean().default(false).openapi({ description: 'Needs annotations:write' }),
  // Not `openapi`: schemas created before this library was loaded lack that method.
  panels: panelsShape.meta({
    description: `In order, at most ${most_panels}; a panel that is gone may stay, and is named where it would stand`,
  }),
};

const none = { 404: 'There is no such board, or it is not yours to see' };
const taken = 'Another board of yours has the title, or there are too many';

export const listBoards = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/boards',
  summary: 'Your boards, and those that everybody sees',
  answers: { 200: 'By title' },
  schema: z.object({ boards: z.array(Board), may_share: z.boolean() }),
  refusals: {},
});

export const getBoard = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/boards/{id}',
  summary: 'A board',
  answers: { 200: 'As it is kept' },
  schema: Board,
  refusals: none,
});

export const addBoard = endpoint({
  needs: 'sign_in',
  method: 'post',
  path: '/boards',
  audit: 'board.changed',
  summary: 'Makes a board, which stands in your menu as long as there is room',
  body: z.strictObject({ ...content, panels: content.panels.default([]) }),
  answers: { 200: 'As it is kept' },
  schema: Board,
  refusals: { 400: 'The title or a panel is none', 403: 'It may not be for everybody', 409: taken },
});

export const changeBoard = endpoint({
  needs: 'sign_in',
  method: 'put',
  path: '/boards/{id}',
  audit: 'board.changed',
  summary: 'Changes a board',
  body: z.strictObject({ ...content, version: z.int().openapi({ description: 'Of what was read' }) }),
  answers: { 200: 'As it is kept' },
  schema: Board,
  refusals: {
    400: 'The title or a panel is none',
    403: 'It is not yours to change',
    ...none,
    409: `${taken}, or somebody has changed it meanwhile`,
  },
});

export const removeBoard = endpoint({
  needs: 'sign_in',
  method: 'delete',
  path: '/boards/{id}',
  audit: 'board.removed',
  summary: 'Removes a board',
  answers: { 204: 'It is gone' },
  refusals: { 403: 'It is not yours to change', ...none, 409: 'A digest names it' },
});

export const downloadBoard = endpoint({
  ...{ needs: 'numbers:read', method: 'get', path: '/boards/{id}/page.pdf', audit: 'document.read' },
  agents: 'by_board',
  summary: 'A board as a PDF, with the filters of its page',
  query: downloadDashboard.query,
  answers: { 200: 'The document' },
  media: ['application/pdf'],
  refusals: { 400: 'A filter is wrong', ...none, 503: unpublished },
});
