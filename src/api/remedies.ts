// What an operator should do about a failed question, derived from its state and error message. Pure.
import type { FailedState } from './contract/pulls.ts';

interface Remedy {
  /** Whole sentences. */
  text: string;
  /** Whether somebody has to act; the operator need only know about questions that are retried automatically. */
  needs_you: boolean;
}

type Case = Remedy & { said: RegExp };
const itself = (said: RegExp, text: string): Case => ({ said, text, needs_you: false });
const yours = (said: RegExp, text: string): Case => ({ said, text, needs_you: true });

/** The first match applies; the last entry of a state matches everything. */
const remedies: { readonly [state in FailedState]: readonly Case[] } = {
  failed: [
    itself(
      /was answered with 429/,
      'Nothing: the pull slows down by itself and asks again. If it stays, something else uses up the limit of this account; CHATLEDGER_REQUESTS_PER_SECOND can be lowered.',
    ),
    itself(
      /was answered with (408|425|5\d\d)/,
      'Nothing: the fault is the service’s, and it is asked again. If it stays for hours, ask whoever runs the service.',
    ),
    itself(
      /no answer from|took longer than|broke off|nothing answers/,
      'Nothing: it is asked again. If it stays, look at the network between this machine and the service.',
    ),
    yours(/no secure connection/, 'Check the address and its certificate; until then nothing can be pulled.'),
    yours(
      /was answered with 421/,
      'Check the region of the account (CHATLEDGER_REGION, or region in chatledger.json): each data centre says that another one has it.',
    ),
    yours(
      /was answered with 3\d\d/,
      'Check the address of the account (CHATLEDGER_BASE_URL, or base_url in chatledger.json): the service sends callers elsewhere, for example to a page to log in at.',
    ),
    itself(
      /pages shifted/,
      'Nothing: chats ended while the day was read. The chats that came are counted, and the day is read again.',
    ),
    itself(
      /pages could not be read/,
      'Nothing: the chats of its other pages are counted, and the missing pages are asked again.',
    ),
    itself(
      /are in ledger\.quarantine/,
      'Nothing: the other records of its day are counted, and the day is asked again. The records set aside are listed with their reasons.',
    ),
    itself(
      /although asked by/,
      'Nothing can be done here: the service does not give more chats of such a day. The number that is missing stays known.',
    ),
    itself(
      /does not name this day|of the 24 hours/,
      'Nothing: what was pulled before stays, and it is asked again. If it stays, the service leaves it out of its own report.',
    ),
    yours(
      /was answered with 4\d\d/,
      'The service refuses the question. Update this program; if it stays, report it with these words.',
    ),
    itself(/./s, 'Nothing: it is asked again. If it stays, look at the words of the error and at the account.'),
  ],
  not_in_plan: [
    itself(
      /./s,
      'Nothing, if this account is not meant to have it: pages say “not given”, and it is asked once a day. Otherwise its owner can add it to the plan, or let the agent of these credentials see reports.',
    ),
  ],
  gone: [
    yours(
      /./s,
      'The service does not offer this any more: what was pulled stays, and it is asked once a day. Update this program; it may know what came instead.',
    ),
  ],
  quarantined: [
    itself(
      /HTML page/,
      'Nothing: the answer is kept as received, and it is asked again. If it stays, something between this machine and the service answers in its place, such as a proxy or a page to log in at.',
    ),
    itself(
      /is empty|no whole JSON|no text|larger than|unpack|packed|with 200 and an error|answered with 2\d\d/,
      'Nothing: the answer is kept as received, and it is asked again. If it stays, ask whoever runs the service, or the proxy before it.',
    ),
    itself(
      /./s,
      'Nothing: the answer is kept as received, and it is asked again. If it stays, update this program and run: npx chatledger rebuild',
    ),
  ],
};

export function remedyFor(state: FailedState, error: string | null): Remedy {
  const found = remedies[state].find(({ said }) => said.test(error || ' '));
  if (!found) throw new Error(`no remedy fits ${state}: ${error}`);
  return found;
}
