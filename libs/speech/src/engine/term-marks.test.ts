import { describe, expect, it } from 'vitest';
import { splitOffSurroundingMarks, TermPart, TermCandidateIndex, writeBetweenMarks } from './term-marks.js';

describe('splitOffSurroundingMarks', () => {
  it.each([
    ['„Wort“,', '„', 'Wort', '“,'],
    ["O'Brien's", '', "O'Brien's", ''],
    ['...', '...', '', ''],
    ['', '', '', ''],
    ['«मोदी»,', '«', 'मोदी', '»,'],
    ['গুপ্তা।', '', 'গুপ্তা', '।'],
    ['(Ame\u0301lie\u0301)', '(', 'Ame\u0301lie\u0301', ')'],
  ])('%s', (text, before, core, after) => {
    expect(splitOffSurroundingMarks(text)).toEqual({ before, core, after });
  });
});

describe('TermPart', () => {
  it.each([
    ['C#', '(c#),', { before: '(', core: 'c#', after: '),' }],
    ['U.S.', 'u.s.', { before: '', core: 'u.s.', after: '' }],
    ['U.S.', '“U.S.,”', { before: '“', core: 'U.S.', after: ',”' }],
    ['Smyth', '$smyth!', { before: '$', core: 'smyth', after: '!' }],
    ['Amélie', 'ame\u0301lie', { before: '', core: 'ame\u0301lie', after: '' }],
  ])('%s is recognized in %s', (term, recognized, marks) => {
    expect(new TermPart(term).match(recognized)).toEqual(marks);
  });

  it.each([
    ['C#', 'C'],
    ['C#', 'C++'],
    ['C', 'CC'],
    ['50%', '50'],
    ['#1', '1'],
    ['.NET', 'ASP.NET'],
    ['दिल', 'दिल्ली'],
  ])('%s is not recognized in %s', (term, recognized) => {
    expect(new TermPart(term).match(recognized)).toBeNull();
  });
});

describe('TermCandidateIndex', () => {
  const terms = ['C# Sharp', 'Smyth', 'C', 'smyth & Sons', '.NET', '#1', 'Constructor'].map((term) =>
    term.split(' ').map((part) => new TermPart(part)),
  );
  const byFirstPart = new TermCandidateIndex(terms);

  it.each([
    ['(c#),', ['C# Sharp', 'C']],
    ['“SMYTH”', ['Smyth', 'smyth & Sons']],
    ['.net.', ['.NET']],
    ['toString', []],
  ])('terms that may begin with %s, in their order', (recognized, expected) => {
    const candidates = byFirstPart.listCandidates(recognized);
    expect(candidates.map((parts) => parts.map(({ text }) => text).join(' '))).toEqual(expected);
    expect(candidates).toEqual(expect.arrayContaining(terms.filter(([first]) => first?.match(recognized))));
  });
});

describe('writeBetweenMarks', () => {
  it.each([
    ['“', 'Smyth', ',”', '“Smyth,”'],
    ['', 'U.S.', '.', 'U.S.'],
    ['', 'U.S.', '.”', 'U.S.”'],
    ['', 'C#', '++,', 'C#,'],
    ['(.', '.NET', ')', '(.NET)'],
    ['', 'Yahoo!', '?', 'Yahoo!?'],
  ])('%s %s %s', (before, term, after, written) => {
    expect(writeBetweenMarks(before, term, after)).toBe(written);
  });
});
