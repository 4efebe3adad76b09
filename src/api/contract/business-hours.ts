// Business hours of an account: the settings, their start dates and their authors.
import { z } from '@hono/zod-openapi';
import { most_groups, shiftOf, type BusinessHours, type Weekday } from '#warehouse/business-hours.ts';
import { weekdays } from '#warehouse/periods.ts';
import { isZone } from '#warehouse/zone.ts';
import { endpoint } from './endpoint.ts';

/** More would be no calendar that anybody keeps. */
const most = { shifts: 6, holidays: 1000, entries: 50 };

const day = z.iso.date({ error: 'must be a date like 2026-12-24' }).refine((date) => date >= '2000-01-01', {
  error: 'must be a day from 2000 on',
});

const shift = z.string().refine((text) => shiftOf(text) !== undefined, {
  error:
    'must be a shift like 09:00-17:00, 00:00-24:00 for a whole day, or 22:00-06:00 for one that ends on the next day',
});

const shiftsOfDay = z
  .array(shift)
  .max(most.shifts, { error: `at most ${most.shifts} shifts a day` })
  .refine((shifts) => !overlap(shifts), { error: 'two shifts overlap' });

function overlap(shifts: readonly string[]): boolean {
  const inOrder = shifts.flatMap((text) => shiftOf(text) ?? []).sort((one, other) => one.from - other.from);
  return inOrder.some(({ from }, at) => from < (inOrder[at - 1]?.until ?? 0));
}

const week = z
  .strictObject(
    Object.fromEntries(weekdays.map((name) => [name, shiftsOfDay.optional()])) as Record<
      Weekday,
      z.ZodOptional<typeof shiftsOfDay>
    >,
  )
  .refine((days) => Object.values(days).some((shifts) => shifts && shifts.length > 0), {
    error: 'no day is open: leave the group out instead, or set one shift',
  });

const entry = z
  .strictObject({
    valid_from: day.nullable().default(null).openapi({ description: 'First local day; null: from the beginning' }),
    timezone: z.string().refine(isZone, { error: 'must be a name of the TZ database like Europe/Warsaw' }),
    week: week.openapi({ description: 'Shifts by the day on which they begin; a missing day is closed' }),
    holidays: z
      .array(day)
      .max(most.holidays)
      .default([])
      .transform((days) => [...new Set(days)].sort())
      .openapi({ description: 'Local days on which no shift begins' }),
  })
  .openapi('BusinessHoursEntry');

const inOrder = (entries: readonly { valid_from: string | null }[]): boolean =>
  entries.every(({ valid_from }, at) => at === 0 || (valid_from ?? '') > (entries[at - 1]?.valid_from ?? ''));

const entries = z
  .array(entry)
  .max(most.entries, { error: `at most ${most.entries} entries` })
  .refine(inOrder, { error: 'entries must follow each other: each valid from a later day than the one before' });

/** Also the format of an account in a business hours file. */
export const businessHoursShape = z
  .strictObject({
    hours: entries.openapi({ description: 'Of everybody; the first holds from the beginning. Empty: none are set' }),
    groups: z
      .array(z.strictObject({ group: z.int().min(0), hours: entries.min(1, { error: 'a group needs one entry' }) }))
      .max(most_groups, { error: `at most ${most_groups} groups may have hours of their own` })
      .default([])
      .openapi({
        description: 'Groups with hours of their own; before its first entry a group has those of everybody',
      }),
  })
  .refine(({ hours }) => (hours[0]?.valid_from ?? null) === null, {
    path: ['hours', 0, 'valid_from'],
    error: 'the first entry of everybody holds from the beginning: leave its date out',
  })
  .refine(({ hours, groups }) => hours.length > 0 || groups.length === 0, {
    path: ['hours'],
    error: 'set the hours of everybody first: groups may then have others',
  })
  .refine(({ groups }) => new Set(groups.map(({ group }) => group)).size === groups.length, {
    path: ['groups'],
    error: 'a group is there twice',
  });

const answer = z
  .object({
    account: z.string(),
    hours: z.array(entry),
    groups: z.array(z.object({ group: z.int(), hours: z.array(entry) })),
    source: z.enum(['page', 'file', 'folder']).openapi({
      description:
        'file: CHATLEDGER_BUSINESS_HOURS names one, and it alone counts; folder: they are set where the account is pulled',
    }),
    changed_at: z.iso.datetime().nullable(),
    changed_by: z.string().nullable(),
    in_snapshot: z.boolean().openapi({ description: 'The newest snapshot counts by them' }),
  })
  .openapi('BusinessHours');
export type { Weekday };
export type BusinessHoursAnswer = z.infer<typeof answer>;

const account = z.object({ account: z.string().optional() });

export const getBusinessHours = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/business-hours',
  summary: 'The business hours of an account and its groups',
  query: account,
  answers: { 200: 'As they are set; the newest snapshot may not count by them yet' },
  schema: answer,
  refusals: { 400: 'There is no such account' },
});

export const saveBusinessHours = endpoint({
  needs: 'digests:write',
  method: 'put',
  path: '/business-hours',
  audit: 'business_hours.changed',
  summary: 'Sets the business hours of an account, all of them at once',
  description: 'They count from the next snapshot on, which a pull makes that is started now; kept snapshots stay.',
  query: account,
  body: businessHoursShape,
  answers: { 200: 'As they are kept' },
  schema: answer,
  refusals: {
    400: 'There is no such account, or the hours are none: the place is named',
    403: 'Somebody who sees a part of the account may not set them',
    409: 'A file gives them (CHATLEDGER_BUSINESS_HOURS)',
  },
});

/** The stored part of a body. */
export const keptHours = ({ hours, groups }: z.infer<typeof businessHoursShape>): BusinessHours => {
  const plain = (entries: z.infer<typeof entry>[]) =>
    entries.map(({ week, ...rest }) => ({
      ...rest,
      week: Object.fromEntries(
        weekdays.flatMap((name) => {
          const shifts = week[name];
          return shifts && shifts.length > 0 ? [[name, [...shifts].sort()]] : [];
        }),
      ),
    }));
  return { hours: plain(hours), groups: groups.map(({ group, hours: own }) => ({ group, hours: plain(own) })) };
};
