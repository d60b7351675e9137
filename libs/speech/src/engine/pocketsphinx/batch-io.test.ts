import { describe, expect, it } from 'vitest';
import { buildControlFile, parseCtm } from './batch-io.js';

const utterances = [
  { start: 0.205, end: 3 },
  { start: 10, end: 12.5 },
];

describe('buildControlFile', () => {
  it('lists the file, frames and number of every utterance', () => {
    expect(buildControlFile('chunk', utterances)).toBe('chunk 20 300 0\nchunk 1000 1250 1\n');
    expect(buildControlFile('chunk', [])).toBe('');
  });
});

describe('parseCtm', () => {
  it('word times are relative to the chunk start', () => {
    const ctm = '0 1 0.10 0.30 hello 0.875\n1 1 0.05 0.20 there 1.000\n';
    expect(parseCtm(ctm, utterances, 13)).toEqual([
      { text: 'hello', start: 0.3, end: 0.6, confidence: 0.875, language: null },
      { text: 'there', start: 10.05, end: 10.25, confidence: 1, language: null },
    ]);
  });

  it('fillers are dropped and variant numbers are stripped', () => {
    const ctm = ['<s>', 'and(2)', '<sil>', '[NOISE]', '++UH++', "o'clock", '</s>']
      .map((word, at) => `0 1 ${at}.0 0.5 ${word} 0.5`)
      .join('\n');
    expect(parseCtm(ctm, utterances, 13).map((word) => word.text)).toEqual(['and', "o'clock"]);
  });

  it('times are ordered and clamped to the chunk', () => {
    const ctm = '1 1 2.90 0.50 late 0.1\n0 1 0.00 0.50 early 0.2\n';
    expect(parseCtm(ctm, utterances, 12.6)).toMatchObject([
      { text: 'early', start: 0.2, end: 0.7 },
      { text: 'late', start: 12.6, end: 12.6 },
    ]);
  });

  it('a missing confidence is null, and an unknown line is rejected', () => {
    expect(parseCtm('0 1 0 1 word', utterances, 13)[0]?.confidence).toBeNull();
    expect(parseCtm('', utterances, 13)).toEqual([]);
    expect(() => parseCtm('9 1 0 1 word 1', utterances, 13)).toThrow(SyntaxError);
    expect(() => parseCtm('ERROR: something', utterances, 13)).toThrow(SyntaxError);
  });
});
