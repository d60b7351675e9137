import { describe, expect, it } from 'vitest';
import { isEasilyGuessed } from './password-strength.js';

describe('isEasilyGuessed', () => {
  it.each([
    '1234567890',
    '0123456789',
    '9876543210',
    '12345678910',
    '1111111111',
    'qwertyuiop',
    'qwerty12345',
    'qwertyuiop123',
    '1q2w3e4r5t',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'zaq12wsxcde3',
    'asdfghjkl123',
    'poiuytrewq',
    'abcdefghij',
    'a1b2c3d4e5',
    'password123',
    'Password1!',
    'p@$$w0rd2023',
    'passw0rd123',
    'passwordpassword',
    'iloveyou123',
    'princess123',
    'football123',
    'michael1234',
    'letmein123',
    'welcome123',
    'Welcome2024!',
    'Summer2024!',
    'Winter2025!!',
    'December2023',
    'changeme123',
    'superman123',
    'monkey123456',
    'liverpool1',
    'testtest123',
    'abcabcabcabc',
    'kjwqkjwqkjwq',
    'trustno1trustno1',
    'qwerty-password',
  ])('finds %s', (password) => expect(isEasilyGuessed(password)).toBe(true));

  it.each([
    'violet harbour 29',
    'amber lantern 31',
    'correct horse battery staple',
    'Tr0ub4dor&3x9',
    'k7#mQ2vX9p',
    'wir essen gern brot',
    'дом на берегу моря',
    'ラジオ体操を毎朝やります',
  ])('does not find %s', (password) => expect(isEasilyGuessed(password)).toBe(false));

  it('finds what consists of the name of the user', () => {
    expect(isEasilyGuessed('Harbour2024!', ['Violet', 'Harbour'])).toBe(true);
    expect(isEasilyGuessed('Harbour2024!')).toBe(false);
  });

  it('answers at once for the longest password', () => {
    const started = performance.now();
    isEasilyGuessed('ab1'.repeat(85));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
