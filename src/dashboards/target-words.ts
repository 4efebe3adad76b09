// Texts about targets in pictures and tiles; a separate file, because few pages have targets.
import type { DayVerdict } from './targets.ts';

const verdicts: Record<DayVerdict, string> = {
  met: 'met',
  missed: 'missed',
  too_few: 'not judged, too few',
  open: 'not judged, not over',
  unknown: 'not judged, not known',
};

export const targetWords = {
  name: 'Target',
  line: (share: string) => `target ${share}`,
  wanted: (isMost: boolean, share: string) => `Target ${isMost ? 'at most' : 'at least'} ${share}`,
  from: (share: string, day: string) => `${share} from ${day} on`,
  met: (met: number, judged: number) =>
    judged === 0 ? 'no day can be judged yet' : `met on ${met} of ${judged === 1 ? '1 day' : `${judged} days`}`,
  fewDays: (days: number) =>
    days === 1
      ? 'One day has too few to be judged (fewer than 10).'
      : `${days} days have too few to be judged (fewer than 10).`,
  otherSeconds: (wanted: string, shown: string) =>
    `The target is set for answers within ${wanted}; shown are those within ${shown}.`,
  missedKey: 'missed the target',
  told: (isMost: boolean, share: string, verdict: DayVerdict | undefined) =>
    `${isMost ? 'at most' : 'at least'} ${share}${verdict ? `: ${verdicts[verdict]}` : ''}`,
};
