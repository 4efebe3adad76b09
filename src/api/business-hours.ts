// The business hours of an account: read by everybody who reads figures, set by who sees all of it.
import type { Context, Hono } from 'hono';
import { sameHours, type BusinessHours } from '#warehouse/business-hours.ts';
import { businessHoursIn } from '#warehouse/query/file-hours.ts';
import { isPartial, type Reader } from '#warehouse/query/reader.ts';
import { accountOf, assertPulledHere, callerIn, readerOf, snapshotOf } from './context.ts';
import { getBusinessHours, keptHours, saveBusinessHours, type BusinessHoursAnswer } from './contract/business-hours.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import type { StoredHours } from './user-data.ts';
import { bodyOf, queryOf } from './validation.ts';

/** Groups that a reader does not see are not told. */
const shownTo = ({ rows }: Reader, { hours, groups }: BusinessHours): BusinessHours => ({
  hours,
  groups: groups.filter(({ group }) => (rows?.groups ? rows.groups.includes(group) : rows?.agent === undefined)),
});

/** Those that were set, or where accounts are pulled elsewhere those that were published. */
async function setHours(deps: ApiDeps, account: string): Promise<ReturnType<StoredHours['of']>> {
  if (!deps.readsAll) return deps.userData.businessHours.of(account);
  const written = await businessHoursIn(snapshotOf(deps).engine, account);
  return { written, source: 'folder', changed_at: null, changed_by: null };
}

async function answerFor(deps: ApiDeps, account: string, reader: Reader): Promise<BusinessHoursAnswer> {
  const { written, ...about } = await setHours(deps, account);
  const served = deps.snapshot();
  const shown = shownTo(reader, written);
  const in_snapshot =
    served !== null && sameHours(shownTo(reader, await businessHoursIn(served.engine, account)), shown);
  const { hours, groups } = shown;
  const plain = (entries: BusinessHours['hours']): BusinessHoursAnswer['hours'] =>
    entries.map(({ week, holidays, ...entry }) => ({
      ...entry,
      week: Object.fromEntries(Object.entries(week).map(([name, shifts]) => [name, [...shifts]])),
      holidays: [...holidays],
    }));
  return {
    account,
    hours: plain(hours),
    groups: groups.map(({ group, hours: own }) => ({ group, hours: plain(own) })),
    ...about,
    in_snapshot,
  };
}

export function addBusinessHours(app: Hono, deps: ApiDeps): void {
  const about = (c: Context, account: string | undefined): { reader: Reader; id: string } => {
    const reader = readerOf(c);
    return { reader, id: accountOf(deps, reader, account).id };
  };

  app.get(getBusinessHours.path, async (c) => {
    const { reader, id } = about(c, queryOf(c, getBusinessHours.query).account);
    c.header('cache-control', 'no-store');
    return c.json<BusinessHoursAnswer>(await answerFor(deps, id, reader));
  });

  app.put(saveBusinessHours.path, async (c) => {
    const { reader, id } = about(c, queryOf(c, saveBusinessHours.query).account);
    if (isPartial(reader))
      throw new Declined('forbidden', 'business hours are set by those who may see all chats of the account');
    assertPulledHere(deps, 'business hours are set');
    const body = await bodyOf(c, saveBusinessHours.body);
    const { user } = callerIn(c);
    deps.userData.businessHours.save(id, keptHours(body), user?.name ?? reader.id);
    deps.pullNow?.();
    return c.json<BusinessHoursAnswer>(await answerFor(deps, id, reader));
  });
}
