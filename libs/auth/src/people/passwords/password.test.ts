import { describe, expect, it } from 'vitest';
import { assertStrongPassword, hashPassword, verifyPassword } from './password.js';

const USER = { email: 'violet@example.org', name: 'Violet Harbour' };

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

  it.each([
    ['small letters', 'kqzvmwxtjrhb'],
    ['capital letters', 'KQZVMWXTJRHB'],
    ['digits', '8305926174'],
    ['punctuation', '<;{}~`|"?:'],
    ['spaces between words', 'wir essen gern brot'],
    ['letters of another script', 'дом на берегу'],
    ['emoji', '🦊🌋🧶🛶🪁🦔🏺🧭🫐🪗'],
    ['a control character', 'kqzvm\u0007wxtjr'],
  ])('may consist of %s', async (_, password) => {
    await expect(assertStrongPassword(password, USER)).resolves.toBeUndefined();
  });

  it('needs 10 characters and may have 256', async () => {
    const letters = Array.from({ length: 257 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    for (const length of [10, 64, 256])
      await expect(assertStrongPassword(letters.slice(0, length), USER)).resolves.toBeUndefined();
    for (const length of [9, 257])
      await expect(assertStrongPassword(letters.slice(0, length), USER)).rejects.toMatchObject({
        code: 'validation_failed',
      });
  });

  it.each(['terminator', 'Motherfucker', 'sleepyhollow', 'SANTACLAUS', 'ghjcnjgfhjkm', '123qweasdzxc'])(
    'must not be %s, which is common',
    async (password) => {
      await expect(assertStrongPassword(password, USER)).rejects.toMatchObject({
        code: 'validation_failed',
      });
    },
  );

  it.each([
    ['the mailbox of the user', { email: 'kqzvmw@example.org', name: 'Ada' }, 'kqzvmwxtjrhb'],
    ['the name of the user', { email: 'ada@example.org', name: 'Ada Kqzvmwxt' }, 'Kqzvmwxt2024!'],
    ['the domain of the mail address', { email: 'ada@kqzvmwxt.example', name: 'Ada' }, 'Kqzvmwxt2024!'],
  ])('must not consist of %s', async (_, user, password) => {
    await expect(assertStrongPassword(password, user)).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await expect(assertStrongPassword(password, USER)).resolves.toBeUndefined();
  });

  it('must not consist of the name of the service', async () => {
    const ofService = assertStrongPassword('zephyr2024xy', USER);
    await expect(ofService).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(assertStrongPassword('kqzvmw2024xy', USER)).resolves.toBeUndefined();
  });
});
