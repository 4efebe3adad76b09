// The words of today's strip, which only the overview loads.
export const todayWords = {
  todayOn: (day: string, time: string) => `Today so far, ${day} until ${time}`,
  weekAgo: (day: string, all: string) => `${day}: ${all}`,
  weekAgoByThen: (day: string, byThen: string, time: string, all: string) =>
    `${day}: ${byThen} by ${time}, the last full hour; ${all} in all`,
  noWeekAgo: (day: string) => `${day}: no data`,
} as const;
