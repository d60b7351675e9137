import { describe, expect, it } from 'vitest';
import { parsePromptTerms } from './parse-prompt-terms.js';

describe('parsePromptTerms', () => {
  it.each([
    ['Kubernetes', ['Kubernetes']],
    ['ZyntriQix, Digique Plus,  CynapseFive.', ['ZyntriQix', 'Digique Plus', 'CynapseFive']],
    ['Node.js\nBullMQ\r\n\r\nPostgres', ['Node.js', 'BullMQ', 'Postgres']],
    ['東京タワー, 大阪', ['東京タワー', '大阪']],
  ])('returns the terms of the list %j', (prompt, terms) => {
    expect(parsePromptTerms(prompt)).toEqual(terms);
  });

  it.each([
    'This is the second part of a talk about birds.',
    'Hello. And welcome, all!',
    'Umm, let me think like, hmm... Okay, here is what I am, like, thinking.',
    ' , ,\n',
    '.',
    '',
  ])('returns null for the running text %j', (prompt) => {
    expect(parsePromptTerms(prompt)).toBeNull();
  });
});
