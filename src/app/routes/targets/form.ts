// The values of a target's or goal's form, and the request body made from them.
import type { Bodies } from '#api/contract/contract.ts';
import type { GoalKind } from '#api/contract/period-goals.ts';

export interface FormValues {
  kind: GoalKind;
  /** Empty: the whole account. */
  group: string;
  /** Chats, or per cent. */
  amount: number | undefined;
  seconds: number | undefined;
}

/** In the order in which they are offered and listed. */
export const kinds = [
  ...(['first_response', 'service_level', 'satisfaction', 'abandonment'] as const),
] as const satisfies readonly GoalKind[];

export const hasSeconds = (kind: GoalKind): boolean => kind === 'first_response' || kind === 'service_level';
export const isMost = (kind: GoalKind): boolean => kind === 'abandonment';

/** Initial values of a form. */
export const blank = (kind: GoalKind, groups: readonly number[] | undefined): FormValues => ({
  ...{ kind, amount: undefined, seconds: 30 },
  group: groups ? String(groups[0] ?? '') : '',
});

/** Values of an existing entry, for editing. */
export const formValuesOf = ({
  kind,
  group,
  amount,
  seconds,
}: Record<'amount' | 'seconds' | 'group', number | null> & { kind: GoalKind }): FormValues => ({
  ...{ kind, group: group === null ? '' : String(group), seconds: seconds ?? 30 },
  amount: amount === null ? undefined : kind === 'chats' ? amount : percent(amount),
});

/** Per cent with the digits that a person types: 0.905 is 90.5. */
export const percent = (share: number): number => Math.round(share * 1e6) / 1e4;

type Common = Pick<Bodies['PUT /period-goals'], 'kind' | 'group' | 'seconds' | 'amount'>;

export const sentOf = ({ kind, group, amount = 0, seconds }: FormValues): Common => ({
  kind,
  group: group === '' ? null : Number(group),
  seconds: hasSeconds(kind) ? (seconds ?? null) : null,
  amount: kind === 'chats' ? amount : amount / 100,
});
