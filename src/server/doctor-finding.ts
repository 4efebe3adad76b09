/** What `doctor` found. */
export interface Finding {
  what: string;
  is_well: boolean;
  /** What it looked at, or what is wrong and what to do. */
  words: string;
}
