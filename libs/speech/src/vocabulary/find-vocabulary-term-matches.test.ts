import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CorrectionBudget, CorrectionBudgetExceededError } from './correction-budget.js';
import { type CandidateWord, findVocabularyTermMatches } from './find-vocabulary-term-matches.js';
import { parsePhonemes } from './phoneme-distance.js';
import { TermIndex } from './term-index.js';
import { computePhonemeDistance } from './testing/compute-phoneme-distance.js';
import type { TermWithPronunciations } from './vocabulary-terms.js';

/** Letters are sounds; a capital marks a doubted word, a full stop the end of a phrase. */
function hear(text: string): CandidateWord[] {
  return text.split(' ').map((word) => ({
    key: word.replace('.', '').toLowerCase(),
    isDoubted: /^[A-Z]/.test(word),
    endsPhrase: word.endsWith('.'),
    phonemes: parsePhonemes(word.replace('.', '').toLowerCase()),
  }));
}

function term(text: string): TermWithPronunciations {
  const parts = text.split(' ');
  const keys = parts.map((part) => part.toLowerCase());
  return { parts, keys, readings: [keys.map((key) => parsePhonemes(key))] };
}

const buildIndex = (terms: TermWithPronunciations[]) =>
  TermIndex.build(terms, new CorrectionBudget(new AbortController().signal));

const match = async (words: CandidateWord[], terms: TermWithPronunciations[]) =>
  findVocabularyTermMatches(
    words,
    await buildIndex(terms),
    new CorrectionBudget(new AbortController().signal),
  );

async function find(text: string, ...terms: string[]): Promise<string[]> {
  return (await match(hear(text), terms.map(term))).map(({ from, to, term: { parts }, fromPart, toPart }) => {
    const heard = text.split(' ').slice(from, to).join(' ');
    return `${heard} = ${parts.slice(fromPart, toPart).join(' ')}`;
  });
}

describe('findVocabularyTermMatches', () => {
  it('finds a doubted word that sounds like a term', async () => {
    expect(await find('mister Kovaltik came', 'Kovaldik', 'Ozempik')).toEqual(['Kovaltik = Kovaldik']);
  });

  it('replaces no word that is not doubted, however like a term it sounds', async () => {
    expect(await find('mister kovaltik came', 'Kovaldik')).toEqual([]);
    expect(await find('mister kovaldi Kovaltik', 'Kovaldik')).toEqual(['Kovaltik = Kovaldik']);
    expect(await find('a kovalti Tik', 'Kovaltitik')).toEqual([]);
    expect(await find('a Kovalti tik', 'Kovaltitik')).toEqual([]);
  });

  it('finds a term in several words, and several words of a term in one', async () => {
    expect(await find('with Elasti Sertsh now', 'Elastisertsh')).toEqual(['Elasti Sertsh = Elastisertsh']);
    expect(await find('with Bluharbor now', 'Blu Harbor')).toEqual(['Bluharbor = Blu Harbor']);
  });

  it('keeps the words of a term of several words that are right', async () => {
    expect(await find('the blu Harper analitiks report', 'Blu Harbor Analitiks')).toEqual([
      'Harper = Harbor',
    ]);
    expect(await find('the Plu harbor Analidiks report', 'Blu Harbor Analitiks')).toEqual([
      'Plu harbor Analidiks = Blu Harbor Analitiks',
    ]);
  });

  it('does not add a word of a term that nobody said', async () => {
    expect(await find('the blu analitiks report', 'Blu Harbor Analitiks')).toEqual([]);
  });

  it('a term does not go on after the end of a phrase', async () => {
    expect(await find('with Elasti. Sertsh now', 'Elastisertsh')).toEqual([]);
  });

  it('takes the most similar of several terms, and of several spans', async () => {
    expect(await find('mister Kovaltik came', 'Kovaltov', 'Kovaldik')).toEqual(['Kovaltik = Kovaldik']);
    expect(await find('Mi Kovaltik', 'Kovaldik')).toEqual(['Kovaltik = Kovaldik']);
  });

  it('takes the first found of equally similar spans of equal length that overlap', async () => {
    const terms = ['do baldiramgo', 'do balti ramkosilda', 'baldiramko'];
    expect(await find('do Balti Ramko Silta', ...terms)).toEqual(['Ramko Silta = ramkosilda']);
    expect(await find('do Balti Ramko Silta', 'do baldiramko', ...terms.slice(1))).toEqual([
      'Balti Ramko = baldiramko',
    ]);
  });

  it('short words must sound the same', async () => {
    expect(await find('mister Lin came', 'Lim')).toEqual([]);
    expect(await find('mister Lin came', 'Lin')).toEqual([]);
    const [lim] = hear('Lim');
    const homophone = { ...lim, key: 'limb' } as CandidateWord;
    expect(await match([homophone], [term('Lim')])).toHaveLength(1);
  });

  it('an s that the term lacks is told apart', async () => {
    const [found] = await match(hear('the Kovaltiks came'), [term('Kovaldik')]);
    expect(found).toMatchObject({ from: 1, to: 2, hasSuffix: true });
    expect(await match(hear('mister Kovaltik'), [term('Kovaldik')])).toMatchObject([{ hasSuffix: false }]);
  });
});

/** Of eight words; all differ. */
function makeTerms(count: number): TermWithPronunciations[] {
  const syllables = ['ba', 'de', 'gi', 'po', 'tu', 'ke', 'mi', 'na', 'ro', 'su'];
  const spell = (value: number) => [...String(value)].map((digit) => syllables[Number(digit)]).join('');
  return Array.from({ length: count }, (_, at) =>
    term(Array.from({ length: 8 }, (__, part) => spell(100 + (((at * 8 + part) * 7919) % 900))).join(' ')),
  );
}

const makeDoubtedWords = (count: number) =>
  hear(Array.from({ length: count }, (_, at) => `Zo${'aeiou'[at % 5]}l${'aeiou'[(at * 3) % 5]}ru`).join(' '));

describe('many terms and doubted words', () => {
  const words = makeDoubtedWords(60);
  const { signal } = new AbortController();
  let terms: TermIndex;
  beforeAll(async () => {
    terms = await buildIndex(makeTerms(300));
  });

  it('let other work go on', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await findVocabularyTermMatches(words, terms, new CorrectionBudget(signal));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it('have their sounds compared once from each word on, not once for each span of words', async () => {
    const comparisons = 60 * 300 * (10 * 6) * (8 * 6);
    await expect(
      findVocabularyTermMatches(words, terms, new CorrectionBudget(signal, comparisons)),
    ).resolves.toBeDefined();
  });

  it('are given up above the bound of comparisons, and when the work is aborted', async () => {
    await expect(findVocabularyTermMatches(words, terms, new CorrectionBudget(signal, 1e5))).rejects.toThrow(
      CorrectionBudgetExceededError,
    );
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error('cancelled')));
    await expect(findVocabularyTermMatches(words, terms, new CorrectionBudget(abort.signal))).rejects.toThrow(
      'cancelled',
    );
  });
});

it('the distance of a match is that of its sounds', async () => {
  const sounds = fc.string({ unit: fc.constantFrom(...'pbtdszrləia'.split('')), minLength: 1, maxLength: 6 });
  const texts = fc.array(sounds, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(texts, { minLength: 1, maxLength: 4 }), async (heard, terms) => {
      const words = hear(heard.map((text) => `Q${text}`).join(' ')).map((word) => ({
        ...word,
        phonemes: word.phonemes.slice(1),
      }));
      for (const found of await match(
        words,
        terms.map((parts) => term(parts.join(' '))),
      )) {
        const all = words.slice(found.from, found.to).flatMap(({ phonemes }) => phonemes);
        const [reading = []] = found.term.readings;
        expect(found.distance).toBe(
          computePhonemeDistance(
            found.hasSuffix ? all.slice(0, -1) : all,
            reading.slice(found.fromPart, found.toPart).flat(),
          ),
        );
      }
    }),
  );
});
