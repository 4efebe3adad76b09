// What a page of panels says of its range, below its filters, ready for translation.

export const rangeWords = {
  settlingFrom: (day: string) =>
    `Some numbers from ${day} on are not final: they may still change. Their lines are dashed, their bars hatched.`,
};
