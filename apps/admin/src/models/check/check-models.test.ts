import { expect, it } from 'vitest';
import { hasPassedOrWaits } from './check-models.js';

const CHECK = {
  checkedAt: '',
  manifestSha256: '',
  problem: null,
  wordsRight: 1,
  speakersRight: null,
  speed: 1,
  memoryBytes: 1,
};

it.each([
  ['passed', { check: CHECK, obstacle: null }, true],
  ['waits for the other model of its pair', { check: null, obstacle: null }, true],
  ['did not pass', { check: { ...CHECK, problem: 'it failed' }, obstacle: null }, false],
  ['could not be checked', { check: null, obstacle: 'ffmpeg is missing' }, false],
])('hasPassedOrWaits: a model that %s', (_, outcome, expected) => {
  expect(hasPassedOrWaits({ name: 'tiny', ...outcome })).toBe(expected);
});
