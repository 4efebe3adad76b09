// Texts of the palette: where to go.

export const paletteWords = {
  title: 'Go to a page, view, agent, group or metric',
  field: 'Page, view, agent, group or metric',
  tv: 'Pages one after the other, large, for a screen on the wall.',
  none: 'Nothing matches.',
  kinds: { page: 'Page', view: 'Saved view', account: 'Account', agent: 'Agent', group: 'Group', metric: 'Metric' },
};
