// Texts of TV mode.

export const tvWords = {
  controls: 'Controls',
  every: 'Each picture stays',
  seconds: (count: number) => `${count} s`,
  before: 'Before',
  next: 'Next',
  pause: 'Pause',
  go: 'Go on',
  full: 'Full screen',
  leave: 'Leave (Esc)',
  place: (at: number, all: number) => `${at} of ${all}`,
};
