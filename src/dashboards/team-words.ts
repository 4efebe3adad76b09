// Texts about an agent's colleagues in pictures and tiles; a separate file, because only one page has them.

interface Least {
  least_colleagues: number;
  least_basis: number;
}

export const teamWords = {
  name: 'Colleagues, median',
  key: 'middle half of colleagues, median dotted',
  half: (colleagues: number, low: string, high: string, middle: string, isSum: boolean) =>
    `Half of ${colleagues} colleagues lie between ${low} and ${high} over these dates, the median is ${middle}${isSum ? '; by week and month the band spreads it evenly over the days' : ''}.`,
  tile: (low: string, high: string, median: string) => `colleagues ${low} to ${high}, median ${median}`,
  told: (median: string, low: string, high: string) => `${median} (${low} to ${high})`,
  whyNot: {
    too_few: ({ least_colleagues, least_basis }: Least) =>
      `Fewer than ${least_colleagues} colleagues have ${least_basis} or more here, so there is no band of the team.`,
    not_pulled: () => 'Some of these days are not pulled; the band of the team comes when they are.',
    not_given: ({ reason = 'there is no such number of single agents here' }: { reason?: string | undefined }) =>
      `There is no band of the team: ${reason}.`,
  },
  whyNotShort: {
    too_few: 'too few colleagues to compare with',
    not_pulled: 'colleagues: days not pulled',
    not_given: 'colleagues: not given under these filters',
  },
};
