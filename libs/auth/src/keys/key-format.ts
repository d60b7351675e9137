import { createHmac, hash, randomBytes } from 'node:crypto';

const PREFIX = 'zk';
const ID_BYTES = 10;
const SECRET_BYTES = 25;
const CHECKSUM_CHARACTERS = 6;
/** Enough bytes for six characters of five bits. */
const CHECKSUM_BYTES = 4;
const KEY_PATTERN = /^zk_([a-z2-7]{16})_([a-z2-7]{40})([a-z2-7]{6})$/;

export interface ApiKeyParts {
  /** Public, in lists and logs. */
  id: string;
  /** 200 random bits. */
  secret: string;
}

/** `zk_<id>_<secret><checksum>`. The checksum detects a mistyped key without a database query. */
export function generateApiKey(): ApiKeyParts & { text: string } {
  const id = base32(randomBytes(ID_BYTES));
  const secret = base32(randomBytes(SECRET_BYTES));
  return { id, secret, text: `${PREFIX}_${id}_${secret}${checksum(id, secret)}` };
}

/** @returns null for a malformed key */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, id, secret, sum] = KEY_PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  return sum === checksum(id, secret) ? { id, secret } : null;
}

/** Without the hashing key, a stolen table cannot be used to guess keys. */
export function hashApiKey({ id, secret }: ApiKeyParts, hashingKey: Buffer): Buffer {
  return createHmac('sha256', hashingKey).update(`${id}:${secret}`).digest();
}

function checksum(id: string, secret: string): string {
  const digest = hash('sha256', `${PREFIX}_${id}_${secret}`, 'buffer');
  return base32(digest.subarray(0, CHECKSUM_BYTES)).slice(0, CHECKSUM_CHARACTERS);
}

/** RFC 4648 alphabet in lower case, no padding. */
function base32(bytes: Buffer): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >> bits) & 31];
    }
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}
