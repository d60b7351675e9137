import { describe, expect, it } from 'vitest';
import { restoreVocabularyTerms } from './restore-vocabulary-terms.js';
import { findSpokenFormsPerTermWord } from './spoken-forms.js';
import { buildTermRestorationRules } from './term-restoration-rules.js';

const recognizedWords = (line: string) =>
  line.split(' ').map((text, at) => ({ text, start: at, end: at + 0.9, confidence: 0.5, language: null }));

const restore = (line: string, terms: string[], common: string[] = []) => {
  const forms = terms.flatMap((term) => {
    const words = findSpokenFormsPerTermWord(term);
    return words ? [{ words }] : [];
  });
  const phrases = buildTermRestorationRules(forms, new Map(common.map((word) => [word, 0.01])));
  const entries = new Map([['term:0', { texts: ['Blue', 'Harbor'], phoneCounts: [3, 6] }]]);
  return restoreVocabularyTerms(recognizedWords(line), { termsByEngineName: entries, phrases });
};
const text = (...given: Parameters<typeof restore>) =>
  restore(...given)
    .map((word) => word.text)
    .join(' ');

describe('restoreVocabularyTerms', () => {
  it('a recognized term is written word by word, each with its share of the time', () => {
    expect(restore('at term:0 now', [])).toEqual([
      { text: 'at', start: 0, end: 0.9, confidence: 0.5, language: null },
      { text: 'Blue', start: 1, end: 1.3, confidence: 0.5, language: null },
      { text: 'Harbor', start: 1.3, end: 1.9, confidence: 0.5, language: null },
      { text: 'now', start: 2, end: 2.9, confidence: 0.5, language: null },
    ]);
  });

  it.each([
    ['doctor nakamura is here', ['Nakamura'], 'doctor Nakamura is here'],
    ["nakamura's house", ['Nakamura'], "Nakamura's house"],
    ['the audit of k. p. m. g. is done', ['KPMG'], 'the audit of KPMG is done'],
    ['cases of covid nineteen', ['COVID-19'], 'cases of COVID-19'],
    ['salt and pepper', ['Salt & Pepper'], 'Salt & Pepper'],
    ['blue harbor analytics', ['Blue Harbor', 'Blue Harbor Analytics'], 'Blue Harbor Analytics'],
    ['blue harbors', ['Blue Harbor'], 'blue harbors'],
    ['blue', ['Blue Harbor'], 'blue'],
  ])('writes %j with %j as %j', (line, terms, written) => {
    expect(text(line, terms)).toBe(written);
  });

  it('words that form one term get their combined time', () => {
    expect(restore('k p m g', ['KPMG'])).toEqual([
      { text: 'KPMG', start: 0, end: 3.9, confidence: 0.5, language: null },
    ]);
  });

  it('a common word that is spelled like a term stays unchanged', () => {
    expect(text('they told us u s will pay', ['US', 'Will'], ['us', 'will'])).toBe(
      'they told us US will pay',
    );
  });

  it.each([
    ['i have to do it', ['ToDo'], ['to', 'do']],
    ['where did you go to then', ['GoTo'], ['go', 'to']],
    ['one for each of us', ['ForEach'], ['for', 'each']],
    ['a flaw in design', ['InDesign'], ['in', 'design']],
    ['a one time thing', ['A1'], ['one']],
    ['a four bedroom house', ['A4'], ['four']],
    ['it is in a frame', ['A-Frame'], []],
    ['i phone you later', ['iPhone'], ['phone']],
  ])('%j with %j stays', (line, terms, common) => {
    expect(text(line, terms, common)).toBe(line);
  });

  it.each([
    ['a sheet of a. four', ['A4'], ['four'], 'a sheet of A4'],
    ['my i. phone', ['iPhone'], ['phone'], 'my iPhone'],
    ['in i tunes', ['iTunes'], [], 'in iTunes'],
    ['the n a s a launch', ['NASA'], [], 'the NASA launch'],
    ['the data forge is up', ['DataForge'], ['data'], 'the DataForge is up'],
    ['on my todo', ['ToDo'], ['to', 'do'], 'on my ToDo'],
  ])('%j with %j is still written as the caller does', (line, terms, common, written) => {
    expect(text(line, terms, common)).toBe(written);
  });

  it('nothing changes without terms', () => {
    expect(
      restoreVocabularyTerms(recognizedWords('one two'), { termsByEngineName: new Map(), phrases: [] }),
    ).toEqual(recognizedWords('one two'));
  });
});
