// What `start` shows: sentences that stay, and one line of progress that is overwritten where there is a terminal.

export interface Terminal {
  say(sentence: string): void;
  progress(words: string): void;
  /** The first snapshot is worth a sentence, later ones are not. */
  published(): void;
}

/** Without a terminal (a log file) progress is written at most this often. */
const log_every_ms = 5000;

export function createTerminal(out: NodeJS.WriteStream = process.stdout): Terminal {
  const began = performance.now();
  let logged = 0;
  let has_snapshot = false;
  const stamp = (): string => `${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  `;
  const terminal: Terminal = {
    say: (sentence) => void out.write(`${out.isTTY ? '\r\x1b[K' : ''}${stamp()}${sentence}\n`),
    progress(words) {
      if (out.isTTY) return void out.write(`\r\x1b[K${stamp()}${words}`);
      if (performance.now() - logged < log_every_ms) return;
      logged = performance.now();
      out.write(`${stamp()}${words}\n`);
    },
    published() {
      if (!has_snapshot) terminal.say('the first snapshot is published: dashboards have numbers');
      has_snapshot = true;
    },
  };
  return terminal;
}
