import { describe, expect, it } from 'vitest';
import { punctuateSentence } from './punctuate-sentence.js';

const written = (line: string, language = 'en'): string => {
  const words = line.split(' ');
  return punctuateSentence({ words, pauses: words.map(() => 0), language }).join(' ');
};

describe('proper names', () => {
  it.each([
    ["he met london's mayor in paris", "He met London's mayor in Paris."],
    ['two americans learn english', 'Two Americans learn English.'],
    ['they live in new york with mary', 'They live in New York with Mary.'],
    ['the united states and the u. s. army', 'The United States and the U. S. army.'],
    ['ask dr. miller or mr. hill', 'Ask Dr. miller or Mr. hill.'],
    ['at ten a. m. on monday', 'At ten a. m. on Monday.'],
    ['she spells it b. c. d.', 'She spells it B. C. D.'],
  ])('are capitalised: %s', (recognized, expected) => {
    expect(written(recognized)).toBe(expected);
  });

  it.each([
    ['a new table of polish oak', 'A new table of polish oak.'],
    ['the states of mind', 'The states of mind.'],
    ['a pan of plans', 'A pan of plans.'],
  ])('are not confused with common words: %s', (recognized, expected) => {
    expect(written(recognized)).toBe(expected);
  });

  it('are left unchanged in other languages', () => {
    expect(written('il parle english à london', 'fr')).toBe('Il parle english à london.');
  });
});
