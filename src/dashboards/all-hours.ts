// The way back from a panel in business hours to where it is defined; apart, so that pages load it when it is used.

/** The metric that a panel names where it is defined. */
export const inAllHours = (metric: string): string => metric.replace(/_business$/, '');
