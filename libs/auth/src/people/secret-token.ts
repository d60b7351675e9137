import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;

export interface SecretToken {
  /** 43 characters of base64url; not stored. */
  text: string;
  hash: Buffer;
}

/** For sessions, links, invitations and challenges. */
export function generateSecretToken(): SecretToken {
  const text = randomBytes(TOKEN_BYTES).toString('base64url');
  return { text, hash: hash('sha256', text, 'buffer') };
}

/** @returns null for what is not the text of a token */
export function hashSecretToken(text: string): Buffer | null {
  return TOKEN_PATTERN.test(text) ? hash('sha256', text, 'buffer') : null;
}
