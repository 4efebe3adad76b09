// What readers keep beside the snapshots: views, boards, what stands in their menu, and notes on days, targets and goals for periods. The server implements it in its own file.
import type { Placed } from '#dashboards/boards.ts';
import type { StoredGoal, GoalTerms } from '#reports/period-goals/goal.ts';
import type { StoredTarget, TargetTerms } from '#reports/targets/target.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import type { VariableDefinition } from '#warehouse/variables.ts';
import type { Annotation, Pin, PinKind, View } from './contract/user-data.ts';

export interface ViewStore {
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

export interface AnnotationStore {
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
interface SetHours {
  written: BusinessHours;
  source: 'page' | 'file';
  /** ISO instant; null: never, or by a file. */
  changed_at: string | null;
  changed_by: string | null;
}

export interface StoredHours {
  /** Errors: Declined, when the file that gives them has become wrong. */
  of(account: string): SetHours;
  /** Errors: Declined, when a file gives them. */
  save(account: string, written: BusinessHours, by: string): void;
}

/** Declared variables of an account. */
export interface StoredVariables {
  /** In their order. `changed_at`: ISO instant; null: never. */
  of(account: string): {
    declared: readonly VariableDefinition[];
    changed_at: string | null;
    changed_by: string | null;
  };
  save(account: string, declared: readonly VariableDefinition[], by: string): void;
}

export interface Targets {
  /** Of an account, every one that there ever was, by number, group and day. */
  list(account: string): StoredTarget[];
  find(account: string, id: string): StoredTarget | undefined;
  /** Takes the place of the one of the same number, group and day. Errors: TooMany. */
  save(user: string, target: TargetTerms & { account: string }): StoredTarget;
  remove(account: string, id: string): boolean;
}

export interface PeriodGoals {
  /** Of an account, those that end last first. */
  list(account: string): StoredGoal[];
  find(account: string, id: string): StoredGoal | undefined;
  /** Without an id a new one; a changed one keeps its writer. Undefined: there is none with the id. Errors: TooMany. */
  save(user: string, goal: GoalTerms & { id?: string | undefined; account: string }): StoredGoal | undefined;
  remove(account: string, id: string): boolean;
}

export interface StoredBoard {
  id: string;
  /** Who made it; empty: somebody who is not there any more. */
  owner: string;
  title: string;
  /** Everybody sees it. */
  is_shared: boolean;
  panels: Placed[];
  /** Counted from 1: which of its states somebody has read. */
  version: number;
  changed_at: string;
}

type BoardContent = Pick<StoredBoard, 'title' | 'is_shared' | 'panels'>;

export interface BoardStore {
  /** Of one user and those that everybody sees, by title. */
  list(user: string): StoredBoard[];
  find(id: string): StoredBoard | undefined;
  /** Errors: NameTaken, TooMany. */
  add(user: string, board: BoardContent): StoredBoard;
  /** Errors: NameTaken, TooMany, ChangedMeanwhile when it is not the state of this version any more. */
  change(id: string, version: number, board: BoardContent): StoredBoard | undefined;
  remove(id: string): boolean;
  handOver(from: string, to: string): void;
  /** Those of one who is not there any more; what everybody sees stays. */
  forget(user: string): void;
}

/** What stands in somebody's menu. */
export interface PinStore {
  /** In the order in which they were put there; without what is not there any more, or not theirs to see. */
  list(user: string): Pin[];
  /** Errors: TooMany. */
  add(user: string, kind: PinKind, id: string): void;
  remove(user: string, kind: PinKind, id: string): void;
  handOver(from: string, to: string): void;
  forget(user: string): void;
}

export interface UserData {
  views: ViewStore;
  boards: BoardStore;
  pins: PinStore;
  annotations: AnnotationStore;
  businessHours: StoredHours;
  variables: StoredVariables;
  targets: Targets;
  periodGoals: PeriodGoals;
}

/** Another view or board of the same reader has the name. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/** More is not kept: all of them are read at once, and pages show them all. */
export const most_views = 500;
/** Of one user. */
export const most_boards = 50;
/** That everybody sees: everybody's lists name them. */
export const most_shared_boards = 100;
/** In one menu. */
export const most_pins = 20;
/** Of one account. */
export const most_annotations = 5000;
/** Of one account, with their history. */
export const most_targets = 2000;
/** Of one account: where each of them stands is asked at once. */
export const most_period_goals = 100;

/** Somebody else has changed it since it was read. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

export class TooMany extends Error {
  override readonly name = 'TooMany';
  constructor(count: number, what: string) {
    super(`there are ${count} ${what}, and no more can be kept: remove one that nobody needs`);
  }
}

/** What is new stands in the menu; a full one keeps nobody from making it. */
export function pinWhereRoom(pins: PinStore, user: string, kind: PinKind, id: string): void {
  try {
    pins.add(user, kind, id);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
