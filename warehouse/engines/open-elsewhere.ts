// Whether a process of this machine has a file open, whatever it does with it. As far as the system tells: Linux, processes of the same user.
import { readdirSync, statSync } from 'node:fs';

/** Undefined for folders and files that are gone or belong to somebody else. */
const ifThere = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/** Also when nobody can tell. `file` is not open in this process. */
export function isOpenElsewhere(file: string): boolean {
  const { dev, ino } = statSync(file);
  const processes = ifThere(() => readdirSync('/proc'))?.filter((name) => /^\d+$/.test(name)) ?? [];
  if (processes.length === 0) return true;
  return processes.some((id) =>
    (ifThere(() => readdirSync(`/proc/${id}/fd`)) ?? []).some((descriptor) => {
      const found = ifThere(() => statSync(`/proc/${id}/fd/${descriptor}`));
      return found?.ino === ino && found.dev === dev;
    }),
  );
}
