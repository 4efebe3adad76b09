// Texts of marks that say whether a panel agrees with the account's own report.

export const markWords = {
  agrees: 'agrees with the report',
  rounding: 'agrees with the report, but for rounding',
  settling: 'settling: compared once complete',
  differs: (count: number, all: number) => `${count} of ${all} cells differ from the report`,
  asReported: 'not compared: only the report gives it',
  archiveOnly: 'not compared: no report gives it',
  notAll: 'not compared: the report does not give all of it',
  otherZone: 'not compared in this time zone',
  byTag: 'not compared by tag',
  byVariable: 'not compared by variable',
  none: 'not compared yet',
};
