// Maps a panel in business hours back to its definition; a separate file, so that pages load it only when needed.

/** The metric in the panel's definition. */
export const inAllHours = (metric: string): string => metric.replace(/_business$/, '');
