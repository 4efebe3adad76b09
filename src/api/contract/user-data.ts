// What readers save: named views, pinned menu entries, and notes on days.
import { z } from '@hono/zod-openapi';
import { longest_title } from '#dashboards/longest-title.ts';
import { endpoint, line, wantedDay } from './endpoint.ts';

const View = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string().openapi({ description: 'Path and query of a page, such as `/queue?preset=7d`' }),
    created_at: z.iso.datetime(),
  })
  .openapi('View');
export type View = z.infer<typeof View>;

export const listViews = endpoint({
  needs: 'sign_in',
  method: 'get',
  path: '/views',
  summary: 'Your saved views',
  answers: { 200: 'By name' },
  schema: z.object({ views: z.array(View) }),
  refusals: {},
});

export const saveView = endpoint({
  needs: 'sign_in',
  method: 'put',
  path: '/views',
  summary: 'Saves a view, or changes the one with its id',
  body: z.strictObject({
    id: z.string().max(64).optional().openapi({ description: 'Of the view to be changed; without it a new one' }),
    name: line(longest_title),
    address: line(4000).regex(/^\/(?![/\\])/, { error: 'must be a path of this server such as /queue?preset=7d' }),
  }),
  answers: { 200: 'As it is kept' },
  schema: View,
  refusals: {
    400: 'The name or the address is none',
    404: 'There is no view with the id',
    409: 'Another view has the name, or there are too many',
  },
});

export const removeView = endpoint({
  needs: 'sign_in',
  method: 'delete',
  path: '/views/{id}',
  summary: 'Removes a view',
  answers: { 204: 'It is gone' },
  refusals: { 404: 'There is no view with the id' },
});

const pinKinds = ['view', 'board'] as const;
export type PinKind = (typeof pinKinds)[number];

const Pin = z
  .object({
    kind: z.enum(pinKinds),
    id: z.string(),
    name: z.string(),
    address: z.string().openapi({ description: 'Path and query of a page' }),
  })
  .openapi('Pin');
export type Pin = z.infer<typeof Pin>;

export const listPins = endpoint({
  needs: 'sign_in',
  method: 'get',
  path: '/pins',
  summary: 'The saved views and boards in your menu',
  answers: { 200: 'In the order in which they were put there' },
  schema: z.object({ pins: z.array(Pin) }),
  refusals: {},
});

export const savePin = endpoint({
  needs: 'sign_in',
  method: 'put',
  path: '/pins',
  summary: 'Puts a saved view or a board into your menu, or takes it out',
  body: z.strictObject({ kind: z.enum(pinKinds), id: z.string().max(64), is_pinned: z.boolean() }),
  answers: { 200: 'What is in the menu now' },
  schema: z.object({ pins: z.array(Pin) }),
  refusals: { 404: 'There is no such view or board', 409: 'There are too many' },
});

const Annotation = z
  .object({
    id: z.string(),
    account: z.string(),
    day: z.iso.date().openapi({ description: "Local day in the account's zone" }),
    text: z.string(),
    user: z.string().openapi({ description: 'Who wrote it' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Annotation');
export type Annotation = z.infer<typeof Annotation>;

export const listAnnotations = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/annotations',
  summary: 'Notes on the days of an account',
  query: z.object({
    account: z.string().optional(),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  }),
  answers: { 200: 'By day' },
  schema: z.object({ annotations: z.array(Annotation) }),
  refusals: { 400: 'There is no such account or day, or the last day is before the first' },
});

export const saveAnnotation = endpoint({
  needs: 'annotations:write',
  method: 'put',
  path: '/annotations',
  audit: 'annotation.changed',
  summary: 'Writes a note, or changes the one with its id',
  body: z.strictObject({
    id: z.string().max(64).optional().openapi({ description: 'Of the note to be changed; without it a new one' }),
    account: z.string().optional(),
    day: wantedDay,
    text: line(200),
  }),
  answers: { 200: 'As it is kept' },
  schema: Annotation,
  refusals: {
    400: 'The account, the day or the text is none',
    404: 'There is no note with the id',
    409: 'There are too many',
  },
});

export const removeAnnotation = endpoint({
  needs: 'annotations:write',
  method: 'delete',
  path: '/annotations/{id}',
  audit: 'annotation.removed',
  summary: 'Removes a note',
  query: z.object({ account: z.string().optional() }),
  answers: { 204: 'It is gone' },
  refusals: { 400: 'There is no such account', 404: 'There is no note with the id' },
});
