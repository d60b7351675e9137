import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type G2pProgram, guessPronunciations } from './grapheme-to-phoneme.js';

/** Prints thirteen signs for each letter, about as the readers do of words that they spell. */
const WORDY: G2pProgram = {
  tool: { name: 'awk', install: 'Install it with `apt install mawk`.' },
  args: ['{ gsub(/[a-z]/, "pau b ey pau "); print }'],
  separator: '\n',
  parse: (line) => line.trim(),
};

it('guessPronunciations reads the pronunciations of a thousand long words to the last', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-sounds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const words = Array.from({ length: 1_000 }, (_, at) =>
    at.toString(2).padStart(100, '0').replaceAll('0', 'b').replaceAll('1', 'k'),
  );
  const pronunciations = await guessPronunciations(words, folder, new AbortController().signal, [WORDY]);
  expect(pronunciations.size).toBe(1_000);
  expect(pronunciations.get(words[999] ?? '')?.[0]?.split(' ')).toHaveLength(400);
});

it('guessPronunciations leaves out only the word that the program prints nothing for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-sounds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const silent: G2pProgram = { ...WORDY, args: ['!/b/ { print "k" }'] };
  const words = ['ka', 'ke', 'bo', 'ki', 'ku'];
  const pronunciations = await guessPronunciations(words, folder, new AbortController().signal, [silent]);
  expect([...pronunciations.keys()]).toEqual(['ka', 'ke', 'ki', 'ku']);
});

it('guessPronunciations gives up after some runs if most words have no pronunciation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-sounds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const silent: G2pProgram = { ...WORDY, args: ['!/b/ { print "k" }'] };
  const words = Array.from({ length: 1_000 }, (_, at) => `${'b'.repeat(1 + (at % 7))}${at}`);
  expect(await guessPronunciations(words, folder, new AbortController().signal, [silent])).toEqual(new Map());
  expect((await readdir(folder)).length).toBeLessThanOrEqual(64);
});
