import { describe, expect, it } from 'vitest';
import { tokenFile } from './byte-vocabulary.js';

const source = (tokens: string[]) =>
  `const other = "x";\nconst some_vocab_base64 = "${Buffer.from(tokens.join('\n')).toString('base64')}";\n`;

function tokensIn(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const [bytes = '', id] = line.split(' ');
      expect(id).toBe(String(index));
      return Buffer.from(bytes, 'base64').toString('latin1');
    });
}

describe('tokenFile', () => {
  it('writes every id with its bytes, blanks and single bytes as what they stand for', () => {
    const all = tokensIn(tokenFile(source(['<unk>', '<0x0A>', '<0xFF>', '▁the', 'é', '▁'])));
    expect(all).toHaveLength(32_768);
    expect(all.slice(0, 6)).toEqual(['<unk>', '\n', '\xFF', ' the', 'Ã©', ' ']);
    expect(all[6]).toBe('<<ST_6>>');
  });

  it('refuses a text without a vocabulary', () => {
    expect(() => tokenFile('const vocab = [];')).toThrow(SyntaxError);
  });
});
