// Inputs that are hard to display, store or export; potential attacks appear in the hostile account only.
/** The seed that is called `hostile`: beyond those that can be given as a number. */
export const HOSTILE_SEED = 2_147_483_648;

interface Odd {
  lines: readonly string[];
  /** Names as people (and testers, and bots) type them. */
  names: readonly string[];
}

const ordinary: Odd = {
  lines: [
    '+49 30 1234567',
    'first line\nsecond line\n\tand a tab',
    'a, b; c | d "e"',
    'https://velora.example/shop?a=1&b=2#top',
    '5 < 6 & "so on"',
    '-2 °C since yesterday',
  ],
  names: ['Anne, Marie', '🦊', 'Visitor', 'Ann "Annie" O’Neill', 'Ægir & Söner', 'Dr. Łukasz Nowak-Żak'],
};

/** Each has broken some page, table, CSV file or PDF somewhere. */
const hostile: Odd = {
  lines: [
    '=SUM(A1)',
    '=HYPERLINK("http://evil.example","click")',
    '-2+3',
    '@velora',
    '<script>alert("x")</script>',
    '<img src=x onerror=alert(1)> does this work?',
    '<b>bold</b> & "quoted" \'single\' <i>tags</i>',
    '\u202ereversed\u202c text',
    ...ordinary.lines,
  ],
  names: ['<b>Bob</b>', '=1+1', 'Robert"); DROP TABLE chats;--', ...ordinary.names],
};

export const oddOf = (seed: number): Odd => (seed === HOSTILE_SEED ? hostile : ordinary);
