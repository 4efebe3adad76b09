// Common parts of targets and period goals: permission to set them, and their audit entry.
import type { Context } from 'hono';
import { judgedBy } from '#warehouse/definitions/used.ts';
import type { TargetKind } from '#warehouse/definitions/uses.ts';
import { isSeen } from '#reports/targets/scope.ts';
import { contextIn, type WarehouseAccount } from '#warehouse/query/context.ts';
import { listOf } from '#warehouse/read/account-lists.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { callerIn, nowOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { TooMany } from './user-data.ts';

/** Errors: Declined, where its chats are not all the reader's. */
export function assertMayChange(reader: Reader, group: number | null): void {
  if (!isSeen(reader, group))
    throw new Declined(
      'forbidden',
      group === null
        ? 'targets of the whole account are for those who may see all of its chats: choose one of your groups'
        : `you may not see the chats of group ${group}`,
    );
}

/** Errors: Declined. */
export async function assertGroup(
  deps: ApiDeps,
  reader: Reader,
  account: WarehouseAccount,
  group: number | null,
): Promise<void> {
  assertMayChange(reader, group);
  if (group === null) return;
  const context = await contextIn(reader, snapshotOf(deps), account, nowOf(deps));
  const ids = (await listOf(context, 'groups')).map(({ id }) => String(id));
  if (!ids.includes(String(group)))
    throw new Declined('bad_request', `group: there is no group ${group}, only ${ids.join(', ')}`, ids);
}

/** A number that is measured against seconds has some, and no other. Errors: Declined. */
export function assertSeconds(kind: TargetKind | 'chats', seconds: number | null): void {
  const hasSeconds = kind !== 'chats' && judgedBy(kind).hasSeconds === true;
  if (hasSeconds && seconds === null)
    throw new Declined('bad_request', `seconds: ${kind} is measured within seconds: say how many`);
  if (!hasSeconds && seconds !== null)
    throw new Declined('bad_request', `seconds: ${kind} is not measured within seconds`);
}

/** Errors: Declined, if there are too many. */
export function keptBy<Kept>(save: () => Kept): Kept {
  try {
    return save();
  } catch (error) {
    if (error instanceof TooMany) throw new Declined('conflict', error.message);
    throw error;
  }
}

/** Name of the user who sets it. */
export function whoIn(c: Context): string {
  const { user, reader } = callerIn(c);
  return user?.name ?? reader.id;
}

/** The audit records the content of the change, not only its address. */
export function tellAudit(c: Context, about: Readonly<Record<string, unknown>>): void {
  const told = Object.entries(about).flatMap(([name, value]) => (value == null ? [] : [`${name} ${String(value)}`]));
  c.set('changed', told.join(', '));
}
