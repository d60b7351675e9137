import { InvalidObjectKeyError } from './store-errors.js';

/**
 * Letters, digits, `.`, `_`, `-`, `=`. Nothing that an address, a file system or XML would spell in two ways:
 * a key is the same text everywhere, so that there is no decoding in which a traversal could hide.
 */
const KEY_SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._=-]{1,100}$/;
const MAX_KEY_LENGTH = 512;

function isWellFormedKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => KEY_SEGMENT.test(segment));
}

/** @throws InvalidObjectKeyError unless the key is relative, `/`-separated and made of plain segments. */
export function assertObjectKey(key: string): void {
  if (typeof key !== 'string' || !isWellFormedKey(key)) throw new InvalidObjectKeyError(key);
}

/** A prefix is the beginning of a key: empty, or ending in or inside a segment. */
export function assertKeyPrefix(prefix: string): void {
  if (typeof prefix !== 'string') throw new InvalidObjectKeyError(prefix);
  const beforeLast = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const last = prefix.slice(beforeLast.length);
  if (beforeLast !== '') assertObjectKey(beforeLast.slice(0, -1));
  // A lone dot may begin `.hidden`, so the last segment is judged with a letter added.
  if (last !== '') assertObjectKey(`${last}x`);
}

/** Emptying the whole store is never meant. */
export function assertDeletablePrefix(prefix: string): void {
  if (prefix === '') throw new InvalidObjectKeyError(prefix);
  assertKeyPrefix(prefix);
}
