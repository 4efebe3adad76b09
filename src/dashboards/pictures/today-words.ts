// The words of today's strip, which only the overview loads.
export const todayWords = {
  todayOn: (day: string, time: string) => `Today so far, ${day} until ${time}`,
  weekAgo: (day: string, value: string, time: string) => `${day} up to ${time}: ${value}`,
  weekAgoInAll: (day: string, value: string) => `${day}, the whole day: ${value}`,
  weekAgoByThen: (day: string, byThen: string, time: string, whole: string) =>
    `${day} up to ${time}: ${byThen}; the whole day: ${whole}`,
  noWeekAgo: (day: string) => `${day}: no data`,
} as const;
