import { InvalidObjectKeyError } from './store-errors.js';

/**
 * Only characters with one spelling in URLs, file systems and XML, so that no decoding can hide a path
 * traversal.
 */
const KEY_SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._=-]{1,100}$/;
const MAX_KEY_LENGTH = 512;

function isWellFormedKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => KEY_SEGMENT.test(segment));
}

/** @throws InvalidObjectKeyError */
export function assertObjectKey(key: string): void {
  if (typeof key !== 'string' || !isWellFormedKey(key)) throw new InvalidObjectKeyError(key);
}

/** A prefix is empty, or ends in or after a segment. */
export function assertKeyPrefix(prefix: string): void {
  if (typeof prefix !== 'string') throw new InvalidObjectKeyError(prefix);
  const beforeLast = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const last = prefix.slice(beforeLast.length);
  if (beforeLast !== '') assertObjectKey(beforeLast.slice(0, -1));
  // A lone dot may begin `.hidden`, so the last segment is validated with a letter appended.
  if (last !== '') assertObjectKey(`${last}x`);
}

/** Rejects the empty prefix, which would delete the whole store. */
export function assertDeletablePrefix(prefix: string): void {
  if (prefix === '') throw new InvalidObjectKeyError(prefix);
  assertKeyPrefix(prefix);
}
