// Texts of the palette: destinations, actions and keyboard shortcuts.

export const paletteWords = {
  title: 'Go to a page, date, agent, group or metric',
  field: 'Page, date, agent, group, metric, export, theme',
  by: (what: string) => `by ${what}`,
  files: { csv: 'CSV', xlsx: 'Excel', pdf: 'PDF' },
  agentsAlso: 'agents team people sales chats csat',
  recipientAlso: 'recipient report mail digest',
  tv: 'Key figures, chats, queue and ratings, large, one after the other, for a screen on the wall.',
  newBoard: 'Make a board',
  boards: 'New board: panels of any page together.',
  inTranscripts: (text: string) => `Transcripts with “${text}”`,
  none: 'Nothing matches.',
  keysHint: 'Press ? for the keys.',
  kinds: {
    ...{
      page: 'Page',
      board: 'Board',
      recent: 'Recent',
      view: 'Saved view',
      account: 'Account',
      date: 'Date',
      agent: 'Agent',
    },
    ...{
      group: 'Group',
      panel: 'Panel',
      metric: 'Metric',
      recipient: 'Recipient',
      export: 'Export',
      theme: 'Theme',
      keys: 'Help',
    },
  },
  theme: { system: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' },
  themeAlso: 'theme colours mode night day',
  exportAlso: 'export download file numbers',
  keysName: 'Keyboard shortcuts',
  keys: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    lists: [
      {
        title: 'On every page',
        rows: [
          ['Ctrl K', 'Go to a page, date, agent, group, metric, export or theme (⌘ K on a Mac)'],
          ['?', 'These keys'],
          ['Tab', 'The next thing to press; the first on a page skips to the numbers'],
          ['Esc', 'Closes what is open; leads back from days that were chosen by dragging'],
        ],
      },
      {
        title: 'In the palette',
        rows: [
          ['↑ ↓', 'Choose'],
          [
            'a b c',
            'Words together: “agents last month excel”, “group 2 last week”, “first response by hour”; of a declared variable “chats by plan”, “chats where plan is pro”',
          ],
          ['Enter', 'Go there'],
        ],
      },
      {
        title: 'In TV mode',
        rows: [
          ['← →', 'The slide before, the next slide'],
          ['Space', 'Pause, go on'],
          ['Esc', 'Leave'],
        ],
      },
    ] as { title: string; rows: [string, string][] }[],
  },
};
