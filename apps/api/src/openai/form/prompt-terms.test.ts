import { describe, expect, it } from 'vitest';
import { promptTerms } from './prompt-terms.js';

describe('promptTerms', () => {
  it.each([
    ['Kubernetes', ['Kubernetes']],
    ['ZyntriQix, Digique Plus,  CynapseFive.', ['ZyntriQix', 'Digique Plus', 'CynapseFive']],
    ['Node.js\nBullMQ\r\n\r\nPostgres', ['Node.js', 'BullMQ', 'Postgres']],
    ['東京タワー, 大阪', ['東京タワー', '大阪']],
  ])('finds the terms of %j', (prompt, terms) => {
    expect(promptTerms(prompt)).toEqual(terms);
  });

  it.each([
    'This is the second part of a talk about birds.',
    'Hello. And welcome, all!',
    'Umm, let me think like, hmm... Okay, here is what I am, like, thinking.',
    ' , ,\n',
    '.',
    '',
  ])('finds none in %j', (prompt) => {
    expect(promptTerms(prompt)).toBeNull();
  });
});
