import { expect, it } from 'vitest';
import { removeTimesAndSpeakerLabels } from './remove-times-and-speaker-labels.js';

it.each([
  ['[00:00:00] He was not an illness.\n', 'He was not an illness.\n'],
  ['[00:00:00] SPEAKER_1: Good morning.\n\n[101:02:03] Yes.\n', 'Good morning.\n\nYes.\n'],
  ['[00:00:00] \u200eSPEAKER_12: שלום\n', 'שלום\n'],
  ['SPEAKER_1: Good morning.\n', 'Good morning.\n'],
  ['At [00:00:00] he said: SPEAKER_1: no\n', 'At [00:00:00] he said: SPEAKER_1: no\n'],
  ['One thing: it is late.\n', 'One thing: it is late.\n'],
])('of %j leaves the words: %j', (text, words) => {
  expect(removeTimesAndSpeakerLabels(text)).toBe(words);
});
