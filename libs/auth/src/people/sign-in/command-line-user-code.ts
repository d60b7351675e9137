import { createHmac, randomInt } from 'node:crypto';

/** No vowels, so that no word arises, and no letter that looks like another one or a digit (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** 20^8 possibilities, such as `WDJB-MJHT`. */
export function generateCommandLineUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/** Keyed, so that a copy of the database alone permits no guessing. Case and what separates the letters do not matter. */
export function hashCommandLineUserCode(code: string, hashingKey: Buffer): Buffer {
  const letters = code.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return createHmac('sha256', hashingKey).update(`command line ${letters}`).digest();
}
