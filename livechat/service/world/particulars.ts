// The parts of a chat besides its lines: start page, pre-chat survey, variables.
import type { ChatRecord, VisitorRecord } from '../records.ts';
import { surveyId } from './identifiers.ts';
import { PRODUCTS } from './phrases.ts';
import type { Random } from './random.ts';

type Particulars = Pick<
  ChatRecord,
  'chat_start_url' | 'referrer' | 'prechat_survey' | 'custom_variables' | 'integration_variables'
>;

const PAGES = ['/', '/shop/city-one', '/support/firmware?lang=en', '/cart', '/invoices', '/orders/track#parcel'];
const REFERRERS = [
  'https://www.google.com/',
  'https://duckduckgo.com/?q=cargo+bike',
  'https://news.example/reviews/e-bikes?utm_source=a&utm_medium=b',
  'https://velora.example/blog/spring',
];

export function particularsOf(random: Random, seed: number, visitor: VisitorRecord): Particulars {
  return {
    chat_start_url: `https://velora.example${random.pick(PAGES)}`,
    referrer: random.chance(0.6) ? random.pick(REFERRERS) : null,
    prechat_survey: random.chance(0.7) ? prechatOf(random, seed, visitor) : [],
    custom_variables: random.chance(0.4) ? customOf(random, visitor) : [],
    integration_variables: random.chance(0.05) ? integrationOf(random, visitor) : [],
  };
}

function prechatOf(random: Random, seed: number, visitor: VisitorRecord): Particulars['prechat_survey'] {
  const answers = [
    { key: 'Name:', value: visitor.name, id: surveyId(seed, 1) },
    { key: 'E-mail:', value: visitor.email, id: surveyId(seed, 2) },
  ];
  if (random.chance(0.4)) {
    answers.push({ key: 'Which product is it about?', value: random.pick(PRODUCTS), id: surveyId(seed, 3) });
  }
  return answers;
}

function customOf(random: Random, visitor: VisitorRecord): Particulars['custom_variables'] {
  const variables = [{ key: 'customer_login', value: visitor.email.split('@')[0] || 'guest' }];
  if (random.chance(0.5)) variables.push({ key: 'plan', value: random.pick(['free', 'plus', 'fleet']) });
  if (random.chance(0.3)) variables.push({ key: 'cart total (€)', value: `${random.between(0, 4000)}.00` });
  return variables;
}

function integrationOf(random: Random, visitor: VisitorRecord): Particulars['integration_variables'] {
  const variables = [{ key: 'facebook.id', value: String(random.between(100_000_000, 999_999_999)) }];
  if (visitor.email) variables.push({ key: 'facebook.email', value: visitor.email });
  return variables;
}
