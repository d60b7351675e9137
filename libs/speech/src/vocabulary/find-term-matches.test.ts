import { describe, expect, it } from 'vitest';
import { type CandidateWord, findTermMatches } from './find-term-matches.js';
import { parsePhonemes } from './phoneme-distance.js';
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

function find(text: string, ...terms: string[]): string[] {
  return findTermMatches(hear(text), terms.map(term)).map(
    ({ from, to, term: { parts }, fromPart, toPart }) => {
      const heard = text.split(' ').slice(from, to).join(' ');
      return `${heard} = ${parts.slice(fromPart, toPart).join(' ')}`;
    },
  );
}

describe('findTermMatches', () => {
  it('finds a doubted word that sounds like a term', () => {
    expect(find('mister Kovaltik came', 'Kovaldik', 'Ozempik')).toEqual(['Kovaltik = Kovaldik']);
  });

  it('replaces no word that is not doubted, however like a term it sounds', () => {
    expect(find('mister kovaltik came', 'Kovaldik')).toEqual([]);
    expect(find('mister kovaldi Kovaltik', 'Kovaldik')).toEqual(['Kovaltik = Kovaldik']);
    expect(find('a kovalti Tik', 'Kovaltitik')).toEqual([]);
  });

  it('finds a term in several words, and several words of a term in one', () => {
    expect(find('with Elasti Sertsh now', 'Elastisertsh')).toEqual(['Elasti Sertsh = Elastisertsh']);
    expect(find('with Bluharbor now', 'Blu Harbor')).toEqual(['Bluharbor = Blu Harbor']);
  });

  it('keeps the words of a term of several words that are right', () => {
    expect(find('the blu Harper analitiks report', 'Blu Harbor Analitiks')).toEqual(['Harper = Harbor']);
    expect(find('the Plu harbor Analidiks report', 'Blu Harbor Analitiks')).toEqual([
      'Plu harbor Analidiks = Blu Harbor Analitiks',
    ]);
  });

  it('does not add a word of a term that nobody said', () => {
    expect(find('the blu analitiks report', 'Blu Harbor Analitiks')).toEqual([]);
  });

  it('a term does not go on after the end of a phrase', () => {
    expect(find('with Elasti. Sertsh now', 'Elastisertsh')).toEqual([]);
  });

  it('takes the most similar of several terms, and of several spans', () => {
    expect(find('mister Kovaltik came', 'Kovaltov', 'Kovaldik')).toEqual(['Kovaltik = Kovaldik']);
    expect(find('Mi Kovaltik', 'Kovaldik')).toEqual(['Kovaltik = Kovaldik']);
  });

  it('short words must sound the same', () => {
    expect(find('mister Lin came', 'Lim')).toEqual([]);
    expect(find('mister Lin came', 'Lin')).toEqual([]);
    const [lim] = hear('Lim');
    const homophone = { ...lim, key: 'limb' } as CandidateWord;
    expect(findTermMatches([homophone], [term('Lim')])).toHaveLength(1);
  });

  it('an s that the term lacks is told apart', () => {
    const [match] = findTermMatches(hear('the Kovaltiks came'), [term('Kovaldik')]);
    expect(match).toMatchObject({ from: 1, to: 2, hasSuffix: true });
    expect(findTermMatches(hear('mister Kovaltik'), [term('Kovaldik')])).toMatchObject([
      { hasSuffix: false },
    ]);
  });
});
