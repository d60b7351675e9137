import { describe, expect, it } from 'vitest';
import { COMMON_PASSWORD_HASH_BYTES, COMMON_PASSWORD_HASHES_BASE64 } from './common-password-hashes.js';
import { isCommonPassword } from './common-passwords.js';

describe('the list of common passwords', () => {
  it('has 5,000 different ones', () => {
    const bytes = Buffer.from(COMMON_PASSWORD_HASHES_BASE64, 'base64');
    const hashes = new Set<string>();
    for (let start = 0; start < bytes.byteLength; start += COMMON_PASSWORD_HASH_BYTES)
      hashes.add(bytes.toString('hex', start, start + COMMON_PASSWORD_HASH_BYTES));
    expect(hashes.size).toBe(5_000);
  });

  it('finds them in any case, and no others', async () => {
    for (const password of ['terminator', 'Terminator', 'TERMINATOR', 'administrator', 'playstation'])
      expect(await isCommonPassword(password), password).toBe(true);
    for (const password of ['terminator of violets', 'terminato', 'violet harbour 29', ''])
      expect(await isCommonPassword(password), password).toBe(false);
  });
});
