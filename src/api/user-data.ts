// What readers save besides the snapshots: views, boards, queries, menu entries, notes on days, targets and goals for periods. The server
// implements it in its own file.
import type { Placed } from '#dashboards/boards.ts';
import type { StoredGoal, GoalTerms } from '#reports/period-goals/goal.ts';
import type { StoredTarget, TargetTerms } from '#reports/targets/target.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import type { VariableDefinition } from '#warehouse/variables.ts';
import type { SavedQuery } from './contract/saved-queries.ts';
import type { ParameterValues } from './contract/sql.ts';
import type { Annotation, Pin, PinKind, View } from './contract/user-data.ts';

export interface ViewStore {
  /** By name. */
  list(user: string): View[];
  /** Without an id, a new view is created. Undefined: no view has this id. Errors: NameTaken, TooMany. */
  save(user: string, view: { id?: string | undefined; name: string; address: string }): View | undefined;
  /** False: there was none. */
  remove(user: string, id: string): boolean;
  /** Transfers one user's views to another; a view whose name the other already uses stays. */
  handOver(from: string, to: string): void;
  /** All of one who is not there any more. */
  forget(user: string): void;
}

export interface AnnotationStore {
  /** Notes of an account between two days, both inclusive. */
  list(account: string, from?: string, to?: string): Annotation[];
  /** Without an id, a new note is created; a changed note keeps its author. Undefined: no note has this id. Errors: TooMany. */
  save(
    user: string,
    annotation: { id?: string | undefined; account: string; day: string; text: string },
  ): Annotation | undefined;
  remove(account: string, id: string): boolean;
}

/** Business hours of an account, and their origin. */
interface SetHours {
  written: BusinessHours;
  /** `folder`: they are set where the account is pulled. */
  source: 'page' | 'file' | 'folder';
  /** ISO instant; null: never, or not by a page. */
  changed_at: string | null;
  changed_by: string | null;
}

export interface StoredHours {
  /** Errors: Declined, if the file that defines them has become invalid. */
  of(account: string): SetHours;
  /** Errors: Declined, if a file defines them. */
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
  /** All targets that an account has ever had, by number, group and day. */
  list(account: string): StoredTarget[];
  find(account: string, id: string): StoredTarget | undefined;
  /** Takes the place of the one of the same number, group and day. Errors: TooMany. */
  save(user: string, target: TargetTerms & { account: string }): StoredTarget;
  remove(account: string, id: string): boolean;
}

export interface PeriodGoals {
  /** Goals of an account, those with the latest end first. */
  list(account: string): StoredGoal[];
  find(account: string, id: string): StoredGoal | undefined;
  /** Without an id, a new goal is created; a changed goal keeps its author. Undefined: no goal has this id. Errors: TooMany. */
  save(user: string, goal: GoalTerms & { id?: string | undefined; account: string }): StoredGoal | undefined;
  remove(account: string, id: string): boolean;
}

export interface StoredBoard {
  id: string;
  /** User who made it; empty if that user no longer exists. */
  owner: string;
  title: string;
  /** Everybody sees it. */
  is_shared: boolean;
  panels: Placed[];
  /** Counted from 1; identifies the state that a user has read. */
  version: number;
  changed_at: string;
}

type BoardContent = Pick<StoredBoard, 'title' | 'is_shared' | 'panels'>;

export interface BoardStore {
  /** The user's own boards and those shared with everybody, by title. */
  list(user: string): StoredBoard[];
  find(id: string): StoredBoard | undefined;
  /** Errors: NameTaken, TooMany. */
  add(user: string, board: BoardContent): StoredBoard;
  /** Errors: NameTaken, TooMany, ChangedMeanwhile if the board is no longer at this version. */
  change(id: string, version: number, board: BoardContent): StoredBoard | undefined;
  remove(id: string): boolean;
  handOver(from: string, to: string): void;
  /** Those of one who is not there any more; what everybody sees stays. */
  forget(user: string): void;
}

export interface StoredQuery {
  id: string;
  /** User who made it; empty if that user no longer exists. */
  owner: string;
  name: string;
  statement: string;
  /** Values that its parameters had when it was saved. */
  parameters: ParameterValues;
  /** How its result is drawn. */
  chart: SavedQuery['chart'];
  /** All who may run SQL see it. */
  is_shared: boolean;
  /** Counted from 1; identifies the state that a user has read. */
  version: number;
  changed_at: string;
}

type QueryContent = Pick<StoredQuery, 'name' | 'statement' | 'parameters' | 'is_shared'> &
  Partial<Pick<StoredQuery, 'chart'>>;

export interface QueryStore {
  /** The user's own queries and the shared ones, by name. */
  list(user: string): StoredQuery[];
  find(id: string): StoredQuery | undefined;
  /** Errors: NameTaken, TooMany. */
  add(user: string, query: QueryContent): StoredQuery;
  /** Errors: NameTaken, TooMany, ChangedMeanwhile if the query is no longer at this version. */
  change(id: string, version: number, query: QueryContent): StoredQuery | undefined;
  remove(id: string): boolean;
  handOver(from: string, to: string): void;
  /** Those of one who is not there any more; what is shared stays. */
  forget(user: string): void;
}

/** A user's pinned menu entries. */
export interface PinStore {
  /** In the order of pinning; without entries that no longer exist or that the user may not see. */
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
  queries: QueryStore;
  pins: PinStore;
  annotations: AnnotationStore;
  businessHours: StoredHours;
  variables: StoredVariables;
  targets: Targets;
  periodGoals: PeriodGoals;
}

/** Another view, board or query of the same reader has the name. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/** Limited because all of them are read at once and listed on pages. */
export const most_views = 500;
/** Per user. */
export const most_boards = 50;
/** That everybody sees: everybody's lists name them. */
export const most_shared_boards = 100;
/** Per user. */
export const most_queries = 200;
/** That all who may run SQL see. */
export const most_shared_queries = 500;
/** In one menu. */
export const most_pins = 20;
/** Per account. */
export const most_annotations = 5000;
/** Per account, including history. */
export const most_targets = 2000;
/** Per account: the progress of all of them is computed at once. */
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

/** Pins a new item; if the menu is full, the item is created without a pin. */
export function pinWhereRoom(pins: PinStore, user: string, kind: PinKind, id: string): void {
  try {
    pins.add(user, kind, id);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
