// Which theme is on screen now, for charts; changes with the reader's choice and with the system.
import { browser } from '$app/env';
import type { ThemeChoice } from './theme.ts';

const system = browser ? matchMedia('(prefers-color-scheme: dark)') : undefined;
let choice = $state<ThemeChoice>('system');
let isPrinting = $state(false);
let isSystemDark = $state(system?.matches ?? false);
system?.addEventListener('change', (event) => (isSystemDark = event.matches));

export const shownTheme = {
  get choice() {
    return choice;
  },
  get name(): 'light' | 'dark' {
    if (isPrinting) return 'light';
    if (choice === 'system') return isSystemDark ? 'dark' : 'light';
    return choice;
  },
  /** Starts with the server's value from the cookie. */
  start(kept: ThemeChoice) {
    choice = kept;
  },
  /** On paper everything is light, whatever the screen shows. */
  print(is: boolean) {
    isPrinting = is;
    document.documentElement.dataset['theme'] = is ? 'light' : choice;
  },
  /** Shows a theme and keeps it for a year. */
  choose(next: ThemeChoice) {
    document.documentElement.dataset['theme'] = next;
    // The page answers at once; the charts follow when that is on screen.
    requestAnimationFrame(() => setTimeout(() => (choice = next)));
    document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`;
  },
};
