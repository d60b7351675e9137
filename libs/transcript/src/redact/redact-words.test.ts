import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTION_KINDS, type RedactionKind } from './redaction-kinds.js';
import { redactText, redactWords } from './redact-words.js';

const ALL = [...REDACTION_KINDS];
const PERSONAL: RedactionKind[] = ['email', 'phone', 'card', 'iban', 'ip', 'url'];

describe('redactText', () => {
  it.each<[string, string]>([
    ['Write to ada.l@example.com, please.', 'Write to [email], please.'],
    ['write to john dot smith at gmail dot com today', 'write to [email] today'],
    ['that is j o h n underscore five at mail dot example dot co dot uk', 'that is [email]'],
    ['mail john.smith at example.com.', 'mail [email].'],
    ['schreib an max punkt muster ät web punkt de', 'schreib an [email]'],
    ['Call +49 30 1234567!', 'Call [phone]!'],
    ['Call (555) 123-4567.', 'Call [phone].'],
    ['call five five five one two three four four now', 'call [phone] now'],
    ['call double five oh, um, one two three four', 'call [phone]'],
    ['ruf an: null eins sieben sechs zwei zwei drei vier', 'ruf an: [phone]'],
    ['my card is 4111 1111 1111 1111, thanks', 'my card is [card], thanks'],
    ['it is 4111-1111-1111-1111', 'it is [card]'],
    ['call 1800 1234', 'call [phone]'],
    ['call 1800-1234', 'call [phone]'],
    ['call 2012 1234', 'call [phone]'],
    ['my card is 1234 1234 1234 1234', 'my card is [card]'],
    ['my card is 1111 1111 1111 1111', 'my card is [card]'],
    ['the IBAN is DE89 3704 0044 0532 0130 00.', 'the IBAN is [iban].'],
    ['D E eight nine three seven zero four 0044 0532 0130 00', '[iban]'],
    ['the server 192.168.1.17 is down', 'the server [ip] is down'],
    ['one nine two dot one six eight dot one dot one seven', '[ip]'],
    ['see https://example.com/a?b=c or www.example.org.', 'see [url] or [url].'],
    ['see example dot com', 'see [url]'],
    ['see www dot example dot shop', 'see [url]'],
    ['see example dot de', 'see [url]'],
    ['٠١٢٣٤٥٦٧٨', '[phone]'],
    ['IBAN GB29 NWBK 6016 1331 9268 19, yes', 'IBAN [iban], yes'],
    ['it is NL91 ABNA 0417 1643 00', 'it is [iban]'],
    ['G B two nine N W B K 6016 1331 9268 19', '[iban]'],
    ['seis treinta y uno veintidós cuarenta y cinco sesenta y siete', '[phone]'],
    ['zéro six vingt-et-un quatre-vingts soixante-dix dix-huit', '[phone]'],
    ['call one eight hundred five five five one thousand', 'call [phone]'],
    ['five five five o one o nine', '[phone]'],
    ['call oh seven nine four six one two three', 'call [phone]'],
    ['oh one two three four five six', '[phone]'],
    ['oh two oh seven nine four six', '[phone]'],
    ['o o four four seven nine four', '[phone]'],
    ['oh 001 555 1234', '[phone]'],
    ['call five five five one two three oh', 'call [phone]'],
    ['john at example dot online', '[email]'],
    ['write to john at example dot shop', 'write to [email]'],
    ['it is john@ example.com', 'it is [email]'],
    ['it is john @example.com', 'it is [email]'],
    ['it is john at gmail.com', 'it is [email]'],
    ['we write to ada at example.com.', 'we write to [email].'],
    ['scrivi a anna chiocciola rai punto it', 'scrivi a [email]'],
    ['john dot rossi at libero dot it', '[email]'],
    ['priya dot sharma at infosys dot in', '[email]'],
    ['j o h n at startup dot is', '[email]'],
    ['write to john at example dot us', 'write to [email]'],
    ['send it to anna at firma dot me', 'send it to [email]'],
    ['write to rahul at company dot co dot in', 'write to [email]'],
    ['My number is “555 123 4567.” Call me.', 'My number is “[phone].” Call me.'],
    ['„null eins zwei drei vier fünf sechs sieben“', '„[phone]“'],
    ['»null eins zwei drei vier fünf sechs«, sagte er', '»[phone]«, sagte er'],
    ['„4111 1111 1111 1111“', '„[card]“'],
    ['schreib an „anna punkt schmidt at web punkt de“', 'schreib an „[email]“'],
    ['die Nummer „123“ 4567', 'die Nummer [phone]'],
    [
      '(It is 555 123 4567.) Call (555) 123-4567; or 123 (4567 890)?',
      '(It is [phone].) Call [phone]; or [phone]?',
    ],
    ['मेरा नंबर 555 123 4567।', 'मेरा नंबर [phone]।'],
    ['رقمي ٠١٢٣٤٥٦٧٨؟', 'رقمي [phone]؟'],
  ])('%s', (text, expected) => {
    expect(redactText(text, PERSONAL)).toBe(expected);
  });

  it.each([
    'In 2019 and 2020 we sold 10,000,000 pieces at 3.14159265 each.',
    'On 2024-05-17, at 10:30, I met two people.',
    'two million three hundred thousand five hundred dollars',
    'No one looked at him once. I was at home.',
    'Un ami est venu à dix heures.',
    'We end here.Next we start. U.S. law.',
    'We are busy at this point in time.',
    'I was there at that point he left.',
    'Look at the dot on the map. Look at the dot matrix.',
    'We looked at Node.js and at README.md in the repo.',
    'we met at St.Petersburg',
    'The point is that we won',
    'the polka dot shop is open',
    'the red dot agency',
    'our polka dot store',
    'he is in the black dot club',
    'look at the polka dot shop',
    'mi punto de vista está claro',
    'ce point de vue',
    'De 2019 à 2020, nous étions là.',
    'De 2019 a 2020 crecimos.',
    'Nel 2019 e 2020.',
    'В 2019 и 2020 годах.',
    '会議は2024年5月17日の10時に',
    '他在2019年和2020年去了',
    'That was in 2019. 2020 was better.',
    'plan b, 2024 a b c d e f g 2025',
    'twenty nineteen and twenty twenty were good',
    'It costs $1,000,000.50 or 12.345.678,90 euros.',
    'on 2024/05/17, or on 2024-05-17 10:30',
    'in 2019, 2020, 2021',
  ])('keeps what is of none of these kinds: %s', (text) => {
    expect(redactText(text, PERSONAL)).toBe(text);
  });

  it.each<[string, string]>([
    ['It costs 25 dollars, or twenty five.', 'It costs [number] dollars, or [number].'],
    ['the 3rd of May, 10am', 'the [number] of May, [number]'],
    ['two hundred and five people and no one else', '[number] people and no one else'],
    ['einundzwanzig Leute', '[number] Leute'],
    ['They seize power, oh, five people', 'They seize power, oh, [number] people'],
  ])('all numbers: %s', (text, expected) => {
    expect(redactText(text, ['number'])).toBe(expected);
  });

  it('a company is a web address rather than a mailbox', () => {
    expect(redactText('I work at Amazon.com', ['email'])).toBe('I work at Amazon.com');
    expect(redactText('I work at Amazon.com', PERSONAL)).toBe('I work at [url]');
  });

  it('only the requested kinds are replaced, and nothing without kinds', () => {
    const text = 'a@b.example +493012345678';
    expect(redactText(text, ['email'])).toBe('[email] +493012345678');
    expect(redactText(text, ['phone'])).toBe('a@b.example [phone]');
    expect(redactText(text, [])).toBe(text);
  });

  it('no digit of a value is left, wherever it is and however it is grouped', () => {
    const group = fc.array(fc.integer({ min: 0, max: 9 }).map(String), { minLength: 2, maxLength: 6 });
    const phone = fc.array(group, { minLength: 4, maxLength: 6 });
    const filler = fc.array(fc.constantFrom('well', 'he', 'said', 'hello,', 'yes.'), { maxLength: 5 });
    fc.assert(
      fc.property(filler, phone, filler, (before, groups, after) => {
        const value = groups.map((digits) => digits.join(''));
        const text = redactText([...before, ...value, ...after].join(' '), ['phone', 'card']);
        expect(text).not.toMatch(/\d/);
        expect(text.split(' ')).toHaveLength(before.length + 1 + after.length);
      }),
    );
  });

  it('redacting twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = redactText(text, ALL);
        expect(redactText(once, ALL)).toBe(once);
      }),
    );
  });
});

describe('redactWords', () => {
  const word = (text: string, start: number, speaker: string | null = null) => ({
    ...{ text, start, end: start + 1, speaker, redacted: null },
  });

  it('the words of a value become one word with its times, and other words stay the same', () => {
    const words = ['call', '555', '123', '4567,', 'now'].map((text, at) => word(text, at));
    const redacted = redactWords(words, ['phone']);
    expect(redacted).toEqual([
      words[0],
      { text: '[phone],', start: 1, end: 4, speaker: null, redacted: 'phone' },
      words[4],
    ]);
  });

  it('the last word of a very long recording is redacted', () => {
    const words = Array.from({ length: 200_000 }, (_, at) => word('word', at));
    const redacted = redactWords([...words, word('a@b.example', words.length)], ['email']);
    expect(redacted).toHaveLength(200_001);
    expect(redacted.at(-1)?.text).toBe('[email]');
  });

  it('a very long row of number words takes time in proportion to its length', () => {
    const words = ['five five five one two three four', ...Array<string>(60_000).fill('thousand')].join(' ');
    expect(redactText(words, ['phone'])).toBe('[phone]');
  });

  it('a very long word takes time in proportion to its length', () => {
    const text = 'a'.repeat(1_000_000);
    expect(redactText(text, ['phone'])).toBe(text);
  });

  const inLanguage = (language: string, text: string) =>
    redactWords(
      text.split(' ').map((each, at) => ({ ...word(each, at), language })),
      ALL,
    )
      .map((each) => each.text)
      .join(' ');

  it.each([
    ['en-US', 'They seize power in the DOS prompt, once.'],
    ['en', 'Oh, that is the mil spec.'],
    ['de', 'Das ist der Punkt, in dem es um alles geht.'],
    ['fr', 'le point com du jour'],
    ['pt', 'o ponto de vista'],
    ['en', 'They seize once more. The elf prompt.'],
    ['it', 'mille baci, un amico'],
  ])('number words and dots of other languages stay in %s: %s', (language, text) => {
    expect(inLanguage(language, text)).toBe(text);
  });

  it.each([
    ['en', 'Oh, five people came', 'Oh, [number] people came'],
    ['en', 'Oh, two hundred and five people', 'Oh, [number] people'],
    ['en', 'Oh, two hundred five people', 'Oh, [number] people'],
    ['en', 'call oh seven nine four six one two three', 'call [phone]'],
    ['en', 'call five five five one two three four oh', 'call [phone]'],
    ['en', 'five five five one two three four. Oh, yes', '[phone]. Oh, yes'],
    ['es', 'cinco o seis personas', '[number] o [number] personas'],
    ['es', 'tengo dos hijos', 'tengo [number] hijos'],
    ['fr', 'seize personnes', '[number] personnes'],
    ['de', 'anna ät web punkt de', '[email]'],
    ['de', 'call five five five one two three four', 'call [phone]'],
    ['it', 'call five five five one two three four', 'call [phone]'],
    ['de', 'call five five five oh one two three four', 'call [phone]'],
    ['es', 'tengo 5 o 6 y dos o tres', 'tengo [number] o [number] y [number] o [number]'],
    ['nl', 'one nine two dot one six eight dot one dot one', '[ip]'],
    ['it', 'D E eight nine three seven zero four 0044 0532 0130 00', '[iban]'],
    ['en', 'three elf costumes, once', '[number] elf costumes, once'],
  ])('words of %s: %s', (language, text, expected) => {
    expect(inLanguage(language, text)).toBe(expected);
  });

  it('a number does not go on after a sentence or a long pause', () => {
    const apart = [word('5551', 0), word('2345', 59.5)];
    expect(redactWords(apart, ['phone'])).toEqual(apart);
    expect(redactWords([word('5551', 0), word('2345', 4)], ['phone']).map(({ text }) => text)).toEqual([
      '[phone]',
    ]);
    expect(redactText('I have 5551. 2345 are yours.', ['phone'])).toBe('I have 5551. 2345 are yours.');
    expect(redactText('मेरे पास 5551। 2345 आपके हैं।', ['phone'])).toBe('मेरे पास 5551। 2345 आपके हैं।');
    const marked = [{ ...word('5551', 0), mark: '.' as const }, word('2345', 1)];
    expect(redactWords(marked, ['phone'])).toEqual(marked);
    const commaBetween = [{ ...word('5551', 0), mark: ',' as const }, word('2345', 1)];
    expect(redactWords(commaBetween, ['phone'])).toHaveLength(1);
  });

  it('a value that two speakers say is hidden for each', () => {
    const words = [word('555', 0, 'a'), word('123', 1, 'a'), word('4567', 2, 'b')];
    expect(redactWords(words, ['phone']).map(({ text, speaker }) => [text, speaker])).toEqual([
      ['[phone]', 'a'],
      ['[phone]', 'b'],
    ]);
  });
});
