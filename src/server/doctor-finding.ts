/** What `doctor` found. */
export interface Finding {
  what: string;
  is_well: boolean;
  /** What was checked, or the problem and its remedy. */
  words: string;
}
