import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineUnavailable, PocketsphinxEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sayUnknown } from '../../libs/speech/src/engine/pocketsphinx/vocabulary/letter-to-sound.js';
import { fromEspeak, fromFlite } from '../../libs/speech/src/engine/pocketsphinx/vocabulary/phones.js';
import { Vocabularies } from '../../libs/speech/src/engine/pocketsphinx/vocabulary/vocabularies.js';
import { dialogue, FOREIGN_SENTENCES, MADE_UP_NAMES } from '../support/material/index.js';
import { wordErrorRate } from '../support/sclite.js';

const run = promisify(execFile);
const signal = new AbortController().signal;
const engine = new PocketsphinxEngine();

/** What is said, and how the caller writes the names in it. */
const SAID = [
  'We moved the billing system to Kubernetes last week.',
  'The report of Blue Harbor Analytics was written in March.',
  'Please ask Mister Kowalczyk about the contract.',
  'The lecture of Professor Venkataraman was very long.',
  'The audit was done by K P M G this year.',
  'We signed with Quantivo after a long talk.',
];
const TERMS = ['Kubernetes', 'Blue Harbor Analytics', 'Kowalczyk', 'Venkataraman', 'KPMG', 'Quantivo'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-vocabulary-'));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function heard(path: string, vocabulary: string[]): Promise<string> {
  const { words } = await engine.transcribe({ path, duration: 0 }, { vocabulary, signal });
  return words.map(({ text }) => text).join(' ');
}

describe('sounding words out', () => {
  it('has the opinions of both programs, each word its own', async () => {
    const words = ['kubernetes', 'nakamura', 'venkataraman', "o'brien"];
    const sounds = await sayUnknown(words, await mkdtemp(join(folder, 'few-')), signal);
    expect([...sounds.keys()]).toEqual(words);
    expect(sounds.get('kubernetes')).toEqual(['K Y UW B ER N IY T S', 'K AH B ER N IY T S']);
    expect(sounds.get('nakamura')?.every((sound) => sound.startsWith('N '))).toBe(true);
  });

  it('gives the sounds of the usual voices, though they are told to speak as fast as they can', async () => {
    const words = MADE_UP_NAMES.filter((name) => !name.includes(' '));
    expect(words).toHaveLength(300);
    const file = join(folder, 'words.txt');
    await writeFile(file, words.map((word) => `${word}.\n\n`).join(''));
    const flite = await run('flite', ['-ps', '-o', 'none', '-f', file]);
    const espeak = await run('espeak-ng', ['-q', '-x', '--sep=_', '-v', 'en-us', '-f', file]);
    const [byFlite, byEspeak] = [flite, espeak].map(({ stdout }) =>
      stdout.split('\n').filter((line) => line.trim() !== ''),
    );
    const sounds = await sayUnknown(words, await mkdtemp(join(folder, 'many-')), signal);
    for (const [index, word] of words.entries()) {
      const usual = [fromEspeak(byEspeak?.[index] ?? ''), fromFlite(byFlite?.[index] ?? '')];
      expect(sounds.get(word), word).toEqual([...new Set(usual)]);
    }
  });
});

describe('custom vocabulary of the embedded engine', () => {
  it.each(['slt', 'rms'])(
    'hears names that it did not know, as they are written, from the voice %s',
    async (voice) => {
      const path = join(folder, `${voice}.wav`);
      await run('flite', ['-voice', voice, '-t', SAID.join(' '), '-o', path]);
      const [without, with_] = [await heard(path, []), await heard(path, TERMS)];
      const missing = (text: string) => TERMS.filter((term) => !` ${text} `.includes(` ${term} `));
      expect(missing(without)).toEqual(TERMS);
      expect(missing(with_)).toEqual([]);
    },
    180_000,
  );

  it('hears most names of other languages among five hundred as those say them who know the language', async () => {
    const sentences = FOREIGN_SENTENCES.filter((_, at) => at % 3 === 0);
    const path = join(folder, 'foreign.wav');
    await run('flite', ['-voice', 'slt', '-t', sentences.map(({ says }) => says).join(' '), '-o', path]);
    const text = await heard(path, [
      ...FOREIGN_SENTENCES.map(({ term }) => term),
      ...MADE_UP_NAMES.slice(100),
    ]);
    const right = sentences.filter(({ term }) => ` ${text} `.includes(` ${term} `));
    // Of these 34 it heard 24, and 14 when every name was read as English.
    expect(right.length).toBeGreaterThanOrEqual(20);
  }, 180_000);

  it('is not led astray by five hundred names that nobody says', async () => {
    const names = [...MADE_UP_NAMES];
    expect(names).toHaveLength(500);
    const { path, words } = await dialogue({ seconds: 10, voices: 2, seed: 11 });
    const [without, with_] = [await heard(path, []), await heard(path, names)];
    for (const name of names) expect(` ${with_} `).not.toContain(` ${name} `);
    const [before, after] = [
      await wordErrorRate(words.join(' '), without),
      await wordErrorRate(words.join(' '), with_),
    ];
    expect(after.errors).toBeLessThanOrEqual(before.errors + 1);
  }, 120_000);

  it('is looked up once, before there is sound to hear', async () => {
    const path = join(folder, 'prepared.wav');
    await run('flite', ['-voice', 'slt', '-t', SAID[2] ?? '', '-o', path]);
    const asked = vi.spyOn(Vocabularies.prototype, 'of');
    onTestFinished(() => asked.mockRestore());
    engine.prepareFor(['Kowalczyk', 'Contract']);
    await expect.poll(() => asked.mock.results).toHaveLength(1);
    expect(await heard(path, ['Kowalczyk', 'Contract'])).toContain('Kowalczyk');
    const [before, after] = await Promise.all(asked.mock.results.map(({ value }) => value as unknown));
    expect(after).toBe(before);
  }, 60_000);

  it('can be told to an engine that is not installed, which says so when it is to hear', async () => {
    const missing = new PocketsphinxEngine({ modelFolder: folder });
    missing.prepareFor(TERMS);
    const path = join(folder, 'prepared.wav');
    const hearing = missing.transcribe({ path, duration: 0 }, { vocabulary: TERMS, signal });
    await expect(hearing).rejects.toThrow(EngineUnavailable);
    await missing.close();
  });

  it('counts the terms that it cannot listen for, and hears the rest', async () => {
    const path = join(folder, 'slt.wav');
    await run('flite', ['-voice', 'slt', '-t', SAID[2] ?? '', '-o', path]);
    const { words, unusedTerms } = await engine.transcribe(
      { path, duration: 0 },
      { vocabulary: ['風', 'Москва', 'Kowalczyk'], signal },
    );
    expect(unusedTerms).toBe(2);
    expect(words.map(({ text }) => text)).toContain('Kowalczyk');
  }, 60_000);
});
