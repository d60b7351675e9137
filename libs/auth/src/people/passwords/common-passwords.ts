import { hash } from 'node:crypto';

let commonHashes: Promise<{ hashes: ReadonlySet<string>; digits: number }> | undefined;

/** Whether the password, in any case, is one of the 5,000 most common that are long enough to be accepted. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { hashes, digits } = await (commonHashes ??= readHashes());
  return hashes.has(hash('sha256', password.toLowerCase().normalize('NFC'), 'hex').slice(0, digits));
}

/** Loaded with the first password that is set. */
async function readHashes(): Promise<{ hashes: ReadonlySet<string>; digits: number }> {
  const { COMMON_PASSWORD_HASH_BYTES, COMMON_PASSWORD_HASHES_BASE64 } =
    await import('./common-password-hashes.js');
  const bytes = Buffer.from(COMMON_PASSWORD_HASHES_BASE64, 'base64');
  const hashes = new Set<string>();
  for (let start = 0; start < bytes.byteLength; start += COMMON_PASSWORD_HASH_BYTES)
    hashes.add(bytes.toString('hex', start, start + COMMON_PASSWORD_HASH_BYTES));
  return { hashes, digits: COMMON_PASSWORD_HASH_BYTES * 2 };
}
