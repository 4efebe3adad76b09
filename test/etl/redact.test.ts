// Redaction: what rules find in a text becomes dots, whatever is around it, and nothing else does.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { archivedChat } from '#contract/archive.ts';
import { decodeChat } from '#etl/decode/chats.ts';
import { facts } from '#warehouse/tables/facts.ts';
import { archivedChatOf } from '../../bench/pages.ts';
import { isChecked, lengths } from '#etl/redact/ibans.ts';
import { isLuhn } from '#etl/redact/cards.ts';
import { patternsIn, WrongPattern } from '#etl/redact/patterns.ts';
import { redactedRecord } from '#etl/redact/record.ts';
import { noRedaction, redactionBy } from '#etl/redact/redaction.ts';
import { fingerprintOf, knownRules, noRules, type KnownRule } from '#etl/redact/rules.ts';
import { replaceAddresses } from '#etl/erased/addresses.ts';
import { dotted } from '#etl/erased/dots.ts';
import { tries } from '../chance.ts';
import { computed } from '../processor.ts';

const personalTexts = facts.flatMap(({ name, columns }) =>
  Object.entries(columns).flatMap(([column, { personal, type }]) =>
    personal && type === 'text' ? [`${name}.${column}`] : [],
  ),
);

const by = (...known: KnownRule[]) => redactionBy({ known, patterns: [] });
const all = by(...knownRules);
const own = (file: string) => redactionBy({ known: [], patterns: patternsIn(file, knownRules) });
const length = (text: string): number => [...text].length;
const words = (text: string): number => text.split(/\s+/).length;

describe('cards', () => {
  const { text } = by('cards');
  it.each([
    ['4111111111111111', '················'],
    ['my card 4111 1111 1111 1111, thanks', 'my card ···· ···· ···· ····, thanks'],
    ['5500-0055-5555-5559', '·······················'.slice(4)],
    ['3782 822463 10005 is Amex', '···· ······ ····· is Amex'],
    ['6304000000000000000 is Maestro of 19', '··················· is Maestro of 19'],
    ['4222222222222 of 13', '············· of 13'],
    ['over lines: 4111 1111\n1111 1111', 'over lines: ···· ····\n···· ····'],
    ['4111 – 1111 – 1111 – 1111', '···· · ···· · ···· · ····'],
    ['12 4111 1111 1111 1111 123', '12 ···· ···· ···· ···· 123'],
    ['card4111111111111111now', 'card················now'],
    ['4111\u00a01111\u202f1111\u20111111', '····\u00a0····\u202f·········'],
    ['4111&nbsp;1111&#160;1111&#x20;1111', '··································'],
    ['https://x.test/?c=4111%201111%201111%201111', 'https://x.test/?c=·························'],
    ['４１１１１１１１１１１１１１１１', '················'],
    ['0@0.6 224424421540719 ８', '0@0.6 ··············· ８'],
    ['4111111111111111@x.test 4111111111111111', '······················· ················'],
    ['٤١١١١١١١١١١١١١١١', '················'],
    ['4111\u200b1111\u200b1111\u200b1111', '···················'],
  ])('finds %j', (said, left) => {
    expect(text(said)).toBe(left);
    expect(length(text(said))).toBe(length(said));
  });
  it.each([
    '4111111111111112',
    '41111111111111111111',
    '411111111111',
    '4111.1111.1111.1111',
    'call 22 123 45 67 from 8 to 16',
    '4111    1111    1111    1111',
    'nothing at all',
    '',
  ])('leaves %j', (said) => expect(text(said)).toBe(said));
});

describe('IBANs', () => {
  const { text } = by('ibans');
  it.each([
    ['DE89370400440532013000', '······················'],
    ['pay to DE89 3704 0044 0532 0130 00 please', 'pay to ···· ···· ···· ···· ···· ·· please'],
    ['gb82 west 1234 5698 7654 32', '···· ···· ···· ···· ···· ··'],
    ['IBAN:PL61109010140000071219812874.', 'IBAN:····························.'],
    ['IBANNO9386011117947', 'IBAN···············'],
    ['MT84 MALT 0110 0001\n2345 MTLC AST0 01S', '···· ···· ···· ····\n···· ···· ···· ···'],
    ['DE89-3704-0044-0532-0130-00', '···························'],
  ])('finds %j', (said, left) => expect(text(said)).toBe(left));
  it.each([
    'DE88370400440532013000',
    'DE8937040044053201300',
    'DE893704004405320130001',
    'XX89370400440532013000',
    'aDE89370400440532013000',
    'de89',
  ])('leaves %j', (said) => expect(text(said)).toBe(said));
});

describe('e-mails', () => {
  const { text } = by('emails');
  it.each([
    ['write to Ann.Lee+x@mail.example.co.uk.', 'write to ····························.'],
    ["o'neil@x.test and 'ann@x.test'", "············· and '··········'"],
    ['żółw@przykład.pl', '················'],
    ['jose\u0301@x.test', '············'],
    ['ann&#64;x.test, ann&commat;x.test', '··············, ·················'],
    ['https://x.test/?mail=ann%40x.test&n=1', 'https://x.test/?mail=············&n=1'],
    ['a@b.c@d.e', '·····@d.e'],
    ['0%09@0.a', '········'],
  ])('finds %j', (said, left) => expect(text(said)).toBe(left));
  it.each(['ann@home', '@x.test', 'a @ b.c', 'me@', '3 @ 2.50'])('leaves %j', (said) => expect(text(said)).toBe(said));
});

describe('own patterns', () => {
  const file =
    '\ufeff# numbers of ours\r\n\r\ncustomer number: K-\\d{6}\r\n  agreement : (?i)agreement\\s+[a-z]\\d+  \n';
  it('are found by name, also over lines', () => {
    expect(patternsIn(file, knownRules).map(({ name, expression }) => [name, expression])).toEqual([
      ['customer number', 'K-\\d{6}'],
      ['agreement', '(?i)agreement\\s+[a-z]\\d+'],
    ]);
    expect(own(file).text('K-123456, Agreement\nB7 😀')).toBe('········, ·········\n·· 😀');
  });
  it('take the address with them of which they find a part', () => {
    expect(own('host: x\\.test').text('ask ann@x.test or x.test')).toBe('ask ·········· or ······');
  });
  it.each([
    ['no colon here', 'line 1: is no pattern: write a name, a colon and an expression'],
    ['# a\n: x', 'line 2: is no pattern: write a name, a colon and an expression'],
    ['a: x\na: y', "line 2: there is a rule 'a' already: choose another name"],
    ['cards: x', "line 1: there is a rule 'cards' already: choose another name"],
    ['a: (x', "line 1: 'a' is no expression (missing closing ): `(x`): correct it; the syntax is that of RE2"],
    ['a: (?=x)y', 'which has no lookahead, lookbehind or backreference'],
    ['a: (x)\\1', "line 1: 'a' is no expression (invalid escape sequence: `\\1`)"],
    ['a: x*', "line 1: 'a' is also found where nothing is: let it need at least one character"],
    ['a: ((x{100}){100}){100}', "line 1: 'a' is no expression (invalid repeat count"],
    [`a: ${'x'.repeat(1001)}`, "line 1: 'a' has more than 1000 characters: write several patterns"],
    [Array.from({ length: 101 }, (_, n) => `p${n}: x${n}`).join('\n'), 'line 101: there are more than 100 patterns'],
  ])('that are wrong are named (%#)', (text, words) => {
    expect(() => patternsIn(text, knownRules)).toThrow(WrongPattern);
    expect(() => patternsIn(text, knownRules)).toThrow(words);
  });
  it('take time in proportion to the text, whatever they are', () => {
    const text = `${'a'.repeat(100_000)}!`;
    for (const pattern of ['p: (a+)+$', 'p: (a|aa)+$', 'p: (a|a?)+b', 'p: (.*a){20}b']) {
      const began = computed();
      own(pattern).text(text);
      expect(computed() - began).toBeLessThan(3000);
    }
    expect(own('p: a').text(text.slice(0, 5000) + ' b!')).not.toMatch(/[ab]/);
  });
});

test('texts that are made to be slow are not', () => {
  for (const text of [
    'a'.repeat(300_000) + '@',
    '1 '.repeat(150_000),
    'a.'.repeat(150_000) + '@a',
    'DE89 '.repeat(60_000),
  ]) {
    const began = computed();
    all.text(text);
    expect(computed() - began).toBeLessThan(3000);
  }
});

/** Personal texts that nobody writes in own words: they stay. */
const left_as_they_are = ['chats.city', 'chats.region', 'chat_goals.order_id'];

test('every text that somebody wrote is redacted, and of what is personal nothing else stays', () => {
  const secret = 'ann@x.test';
  const place = `https://x.test/?mail=${secret}`;
  const lines = (['visitor', 'agent', 'supervisor'] as const).flatMap((user_type) =>
    (['message', 'attachment', 'event'] as const).map((type) => ({
      ...{ type, user_type, text: `my ${secret}`, timestamp: 1, date: '', author_name: secret, agent_id: secret },
      ...(type === 'attachment' && { files: [place, place] }),
    })),
  );
  const chat = archivedChat.parse({
    ...archivedChatOf(6, 1_777_888_000),
    ...{ chat_start_url: place, referrer: place, events: lines, tags: ['vip'] },
    visitor: { id: secret, name: secret, city: secret, region: secret, ip: '', user_agent: '' },
    prechat_survey: [{ key: secret, value: secret, id: '1' }],
    postchat_survey: [{ key: secret, value: secret, id: '1' }],
    goals: [{ id: 1, name: 'Sale', type: 'goal', date: '', order: { id: secret, description: secret } }],
    agents: [{ display_name: secret, email: secret }],
  });
  const found = new Set<string>();
  const rows = decodeChat(chat, { account: 'a', pull_id: 'p', content_hash: 'h', redaction: all });
  for (const [table, own] of Object.entries(rows))
    for (const row of own as Record<string, unknown>[])
      for (const [column, value] of Object.entries(row)) {
        const isAgents = column === 'author_name' && row['user_type'] !== 'visitor';
        if (String(value).includes(secret) && !isAgents) found.add(`${table}.${column}`);
      }
  expect([...found].filter((name) => personalTexts.includes(name)).sort()).toEqual([...left_as_they_are].sort());
  expect(rows.messages[0]).toMatchObject({ agent: null, author_name: '··········', text: 'my ··········' });
  expect(rows.messages[3]).toMatchObject({ agent: secret, author_name: secret, text: 'my ··········' });
  expect(rows.chats[0]).toMatchObject({ redaction: all.fingerprint, start_url: 'https://x.test/?mail=··········' });
});

test('without rules there is nothing to do', () => {
  expect(redactionBy(noRules)).toBe(noRedaction);
  expect(noRedaction.text('4111111111111111')).toBe('4111111111111111');
});

test('a fingerprint tells rules apart by what they find', () => {
  const of = (known: KnownRule[], file = ''): string | null =>
    fingerprintOf({ known, patterns: patternsIn(file, knownRules) });
  expect(of([])).toBe(null);
  expect(of(['cards', 'ibans'])).toBe(of(['ibans', 'cards']));
  expect(of([], 'a: x\nb: y')).toBe(of([], 'c: y\nd: x'));
  expect(new Set([of(['cards']), of(['ibans']), of(['cards'], 'a: x'), of([], 'a: x'), of([], 'a: y')]).size).toBe(5);
});

test('a record that is set aside keeps ids and times, and no text that a rule finds', () => {
  const secret = '4111 1111 1111 1111';
  const record = {
    ...{ id: '4111111111111111', started_timestamp: 4111111111111111, tags: 'none' },
    visitor: { id: '4111111111111111', name: secret, ip: 4111111111111111 },
    events: [{ type: 'message', text: secret, timestamp: 1 }, { text: 4111111111111111 }],
    prechat_survey: [{ key: 'Card', value: secret }],
    odd: { [secret]: ['ann@x.test'] },
  };
  expect(redactedRecord(record, all)).toEqual({
    ...{ id: record.id, started_timestamp: record.started_timestamp, tags: 'none' },
    visitor: { id: record.visitor.id, name: '···· ···· ···· ····', ip: 0 },
    events: [{ type: 'message', text: '···· ···· ···· ····', timestamp: 1 }, { text: 0 }],
    prechat_survey: [{ key: 'Card', value: '···· ···· ···· ····' }],
    odd: { '···· ···· ···· ····': ['··········'] },
  });
  expect(redactedRecord(record, noRedaction)).toBe(record);
});

// Random texts around what is planted.

const digits = (least: number, most = least) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((each) => each.join(''));
const withCheckDigit = (number: string): string => number + [...'0123456789'].find((digit) => isLuhn(number + digit))!;
const grouped = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', ' ', '-', '\u00a0', '\n', ' - ', '–'), fc.integer({ min: 2, max: 6 }))
    .map(([gap, size]) => text.match(new RegExp(`.{1,${size}}`, 'g'))!.join(gap));
const card = digits(12, 18).map(withCheckDigit).chain(grouped);
const iban = fc
  .tuple(
    fc.constantFrom(...Object.keys(lengths)),
    fc.array(fc.constantFrom(...'0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'), { minLength: 29, maxLength: 29 }),
  )
  .map(([country, account]) => {
    const bban = account.join('').slice(0, lengths[country]! - 4);
    const check = Array.from({ length: 97 }, (_, n) => String(n + 2).padStart(2, '0'));
    return country + check.find((two) => isChecked(country + two + bban))! + bban;
  })
  .chain((text) =>
    fc.constantFrom(text, text.toLowerCase(), text.match(/.{1,4}/g)!.join(' '), text.match(/.{1,4}/g)!.join('\n')),
  );
const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const email = fc
  .tuple(fc.stringMatching(/^[a-z0-9]([a-z0-9._%+-]{0,10}[a-z0-9])?$/), fc.array(label, { minLength: 2, maxLength: 4 }))
  .map(([name, labels]) => `${name}@${labels.join('.')}`);
/** Words of any characters; nothing in them runs into a number or an address. */
const prose = fc.string({ unit: 'grapheme', maxLength: 60 });
const plain = prose.map((text) => text.replace(/[\p{N}@&%]/gu, 'x'));
const spaced = (before: string, secret: string, after: string): string => `${before}; ${secret} ;${after}`;

describe('random texts', () => {
  const planted = fc.oneof(card, iban, email);
  it('lose what is planted in them, and neither length nor words', () => {
    fc.assert(
      fc.property(prose, planted, prose, (before, secret, after) => {
        const text = spaced(before, secret, after);
        const left = all.text(text);
        expect(left).not.toContain(secret);
        expect(left.normalize('NFKC').replace(/[^0-9a-z]/gi, '')).not.toContain(secret.replace(/[^0-9a-z]/gi, ''));
        expect(length(left)).toBe(length(text));
        expect(words(left)).toBe(words(text));
        expect(all.text(left)).toBe(left);
      }),
      { numRuns: tries(1000, 3000) },
    );
  });
  it('keep everything when there is nothing in them', () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(all.text(text)).toBe(text);
      }),
      { numRuns: tries(1000, 3000) },
    );
    const wrong = digits(16).filter((number) => !isLuhn(number));
    fc.assert(
      fc.property(plain, wrong, plain, (before, number, after) => {
        const text = spaced(before, number, after);
        expect(all.text(text)).toBe(text);
        expect(by('cards').text(number.replace(/(.{4})(?=.)/g, '$1 '))).toContain(number.slice(0, 4));
      }),
      { numRuns: tries(700, 2000) },
    );
  });
  it('are the same however often they are redacted, also by own patterns', () => {
    const rules = own('a: a\nword: \\bfoo\\b\nnear: x.y');
    const text = fc.array(fc.constantFrom('a', 'foo', 'x', 'y', ' ', '·', '@', '.b', '4'), { maxLength: 20 });
    fc.assert(
      fc.property(text, (parts) => {
        const once = rules.text(parts.join(''));
        expect(rules.text(once)).toBe(once);
        expect(length(once)).toBe(length(parts.join('')));
      }),
      { numRuns: tries(1000, 3000) },
    );
  });
  it('become the same whether an address is erased before or after', () => {
    const rules = redactionBy({ known: knownRules, patterns: patternsIn('own: K-\\d+', knownRules) });
    const erased = (text: string, address: string): string =>
      replaceAddresses(text, (found) => (found === address ? dotted(found) : found));
    // The number of the card would be longer with the digit at the end of the address.
    const joined = '0@0.6 224424421540719 ８';
    expect(erased(all.text(joined), '0@0.6')).toBe(all.text(erased(joined, '0@0.6')));
    fc.assert(
      fc.property(prose, email, fc.oneof(planted, fc.constant('K-17')), prose, (before, address, secret, after) => {
        const text = `${before} ${address} ${secret} ${after}`;
        expect(erased(rules.text(text), address)).toBe(rules.text(erased(text, address)));
      }),
      { numRuns: tries(1000, 3000) },
    );
  });
});
