import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.js';

describe('a password', () => {
  it.each([
    ['with spaces at its ends', ' violet harbour 29 ', 'violet harbour 29'],
    ['of another case', 'Violet Harbour 29', 'violet harbour 29'],
    ['of the greatest length', 'ä'.repeat(256), 'ä'.repeat(255)],
    ['with more behind it', 'ä'.repeat(256), 'ä'.repeat(257)],
    ['cut at a null character', 'violet\u0000harbour 29', 'violet'],
  ])('%s is verified as it was given, not shortened or changed', async (_, password, other) => {
    const stored = await hashPassword(password);
    expect(await verifyPassword(stored, password)).toBe(true);
    expect(await verifyPassword(stored, other)).toBe(false);
  });

  it('is the same in every form of Unicode that looks the same', async () => {
    const stored = await hashPassword('grüße 29 harbour'.normalize('NFD'));
    expect(await verifyPassword(stored, 'grüße 29 harbour'.normalize('NFC'))).toBe(true);
  });
});
