import { expect, it } from 'vitest';
import { matchesIfNoneMatch } from './matches-if-none-match.js';

it.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"abc" ,"y"', true],
  ['*', true],
  ['abc', false],
  ['"abcd"', false],
  ['', false],
])('If-None-Match: %s matches the ETag "abc": %s', (etags, matches) =>
  expect(matchesIfNoneMatch({ 'if-none-match': etags }, { etag: 'abc' })).toBe(matches),
);
