import { expect, it } from 'vitest';
import { describeForwardingAttempt } from './describe-forwarding-attempt.js';

it.each([
  [200, 1, 1000, '200'],
  [
    'connect ECONNREFUSED 127.0.0.1:38481',
    1,
    1000,
    'not delivered (connect ECONNREFUSED 127.0.0.1:38481), attempt 1 of 4, next in 1 s',
  ],
  [503, 3, 10_000, 'not delivered (503), attempt 3 of 4, next in 10 s'],
  [503, 4, undefined, 'not delivered (503), attempt 4 of 4'],
  [404, 1, undefined, 'not delivered (404), not tried again'],
])('the result %s of attempt %i, with %s ms to the next one, is “%s”', (result, attempt, nextMs, text) => {
  expect(describeForwardingAttempt({ result, attempt, attempts: 4, nextMs })).toBe(text);
});
