// What readers keep beside the snapshots: views with names, notes on days, targets and goals for periods. The server implements it in its own file.
import type { KeptGoal, PeriodGoal } from '#reports/period-goals/goal.ts';
import type { KeptTarget, Target } from '#reports/targets/target.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import type { Annotation, View } from './contract/user-data.ts';

export interface Views {
  /** By name. */
  list(user: string): View[];
  /** Without an id a new one. Undefined: there is none with the id. Errors: NameTaken, TooMany. */
  save(user: string, view: { id?: string | undefined; name: string; address: string }): View | undefined;
  /** False: there was none. */
  remove(user: string, id: string): boolean;
  /** Gives the views of one to another; a name that the other has already stays where it is. */
  handOver(from: string, to: string): void;
  /** All of one who is not there any more. */
  forget(user: string): void;
}

export interface Annotations {
  /** Of an account, by day; both days included. */
  list(account: string, from?: string, to?: string): Annotation[];
  /** Without an id a new one; a changed one keeps its writer. Undefined: there is none with the id. Errors: TooMany. */
  save(
    user: string,
    annotation: { id?: string | undefined; account: string; day: string; text: string },
  ): Annotation | undefined;
  remove(account: string, id: string): boolean;
}

/** Business hours of an account, and where they come from. */
export interface SetHours {
  written: BusinessHours;
  source: 'page' | 'file';
  /** ISO instant; null: never, or by a file. */
  changed_at: string | null;
  changed_by: string | null;
}

export interface KeptHours {
  /** Errors: Declined, when the file that gives them has become wrong. */
  of(account: string): SetHours;
  /** Errors: Declined, when a file gives them. */
  save(account: string, written: BusinessHours, by: string): void;
}

export interface Targets {
  /** Of an account, every one that there ever was, by number, group and day. */
  list(account: string): KeptTarget[];
  find(account: string, id: string): KeptTarget | undefined;
  /** Takes the place of the one of the same number, group and day. Errors: TooMany. */
  save(user: string, target: Target & { account: string }): KeptTarget;
  remove(account: string, id: string): boolean;
}

export interface PeriodGoals {
  /** Of an account, those that end last first. */
  list(account: string): KeptGoal[];
  find(account: string, id: string): KeptGoal | undefined;
  /** Without an id a new one; a changed one keeps its writer. Undefined: there is none with the id. Errors: TooMany. */
  save(user: string, goal: PeriodGoal & { id?: string | undefined; account: string }): KeptGoal | undefined;
  remove(account: string, id: string): boolean;
}

export interface UserData {
  views: Views;
  annotations: Annotations;
  businessHours: KeptHours;
  targets: Targets;
  periodGoals: PeriodGoals;
}

/** Another view of the same reader has the name. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/** More is not kept: all of them are read at once, and pages show them all. */
export const most_views = 500;
/** Of one account. */
export const most_annotations = 5000;
/** Of one account, with their history. */
export const most_targets = 2000;
/** Of one account: where each of them stands is asked at once. */
export const most_period_goals = 100;

export class TooMany extends Error {
  override readonly name = 'TooMany';
  constructor(count: number, what: string) {
    super(`there are ${count} ${what}, and no more can be kept: remove one that nobody needs`);
  }
}
