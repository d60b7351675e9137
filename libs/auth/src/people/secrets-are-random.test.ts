import type { Encryptor } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { generateCommandLineUserCode } from './sign-in/command-line-user-code.js';
import { generateSecretToken } from './secret-token.js';
import { TotpAndRecoveryCodes } from './factors/totp-and-recovery-codes.js';

const DATABASE = { delete: () => Promise.resolve({}), insert: () => Promise.resolve({}) };
const ENCRYPTED = { keyId: 'k1', sealed: Buffer.alloc(1) };

function createFactors(): TotpAndRecoveryCodes {
  const manager = { upsert: () => Promise.resolve({}) };
  const encryptor = { encrypt: () => ENCRYPTED };
  return new TotpAndRecoveryCodes(
    { manager } as unknown as DataSource,
    encryptor as unknown as Encryptor,
    Buffer.alloc(32),
  );
}

const renewRecoveryCodes = () =>
  createFactors().renewRecoveryCodes(DATABASE as unknown as EntityManager, 'user');

const COUNT = 200;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the secrets that a user gets', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['tokens', () => generateSecretToken().text],
    ['codes of command lines', generateCommandLineUserCode],
    ['recovery codes', async () => (await renewRecoveryCodes())[0] ?? ''],
    ['secrets of apps', async () => (await createFactors().enroll('user', 'ada@example.org')).secret],
  ])('do not come from a predictable generator: %s', async (_, generate) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.spyOn(Date, 'now').mockReturnValue(0);
    const generated = new Set<string>();
    for (let count = 0; count < COUNT; count += 1) generated.add(await generate());
    expect(generated.size).toBe(COUNT);
  });

  it('of recovery codes have 24 of 31 characters, each code another one', async () => {
    const codes: string[] = [];
    while (codes.length < COUNT) codes.push(...(await renewRecoveryCodes()));
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/);
    // 4,800 characters leave out one of 31 with a probability of 10^-66.
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(31);
  });

  it('of command lines have eight of 20 letters, each code another one', () => {
    const codes = Array.from({ length: COUNT }, generateCommandLineUserCode);
    expect(new Set(codes).size).toBe(COUNT);
    for (const code of codes) expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(20);
  });

  it('of apps have 160 bits', async () => {
    const { secret } = await createFactors().enroll('user', 'ada@example.org');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });
});
