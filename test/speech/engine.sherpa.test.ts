import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  encodeWav,
  EngineFailedError,
  EngineUnavailableError,
  getInstalledModel,
  type InstalledModel,
  SAMPLE_RATE,
  SherpaEngine,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeEngineContract } from '../../libs/speech/src/engine/engine.contract.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { pieceStartSeconds, renderPieces, TONE_SECONDS } from '../../scripts/material/onnx/tones.mjs';
import { findNativeHostPid } from '../support/find-native-host-pid.js';

const OPTIONS = { vocabulary: [], signal: new AbortController().signal };
const MODELS = [
  'tiny-whisper',
  'tiny-whisper-attention',
  'tiny-parakeet',
  'tiny-zipformer',
  'tiny-moonshine',
  'tiny-moonshine-merged',
  'tiny-sense-voice',
  'tiny-omnilingual',
  'tiny-canary',
];
const SENTENCE = ['▁please', '▁call', '▁mister', '▁smith', '▁to', '▁mor', 'row', '▁at', '▁nine', '.'];
const WORDS = ['please', 'call', 'mister', 'smith', 'to', 'morrow', 'at', 'nine.'];

let folder: string;
const openedEngines = new Set<SherpaEngine>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-sherpa-test-'));
  for (const name of MODELS) await makeModel(join(folder, 'models'), name);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function openEngine(name: string): Promise<SherpaEngine> {
  const engine = new SherpaEngine({
    model: await getInstalledModel(join(folder, 'models'), name),
    maxHosts: 2,
  });
  openedEngines.add(engine);
  return engine;
}

/** An engine for one test. */
async function openTestEngine(name: string): Promise<SherpaEngine> {
  const engine = await openEngine(name);
  onTestFinished(() => engine.close());
  return engine;
}

async function recordPieces(pieces: string[], name = 'speech'): Promise<{ path: string; duration: number }> {
  const samples = renderPieces(pieces);
  const path = join(folder, `${name}.wav`);
  await writeFile(path, encodeWav(samples));
  return { path, duration: samples.length / SAMPLE_RATE };
}

function repeatItems(times: number, items: readonly string[]): string[] {
  return Array.from({ length: times }, () => items).flat();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each([
  ['tiny-whisper', false],
  ['tiny-parakeet', true],
  ['tiny-moonshine', false],
  ['tiny-sense-voice', false],
  ['tiny-omnilingual', false],
  ['tiny-canary', false],
])('%s', (name, supportsTerms) => {
  describeEngineContract(`sherpa with ${name}`, {
    create: () => openEngine(name),
    speech: async () => ({
      ...(await recordPieces([...SENTENCE, '▁please', '▁call', '▁mister', '▁to'])),
      words: [...WORDS, 'please', 'call', 'mister', 'to'],
    }),
    long: () => recordPieces(repeatItems(12, ['slow']), 'long'),
    ...(supportsTerms
      ? { term: async () => ({ ...(await recordPieces(SENTENCE.slice(0, 5), 'term')), term: 'Smyth' }) }
      : {}),
    activeWork: async () =>
      [...openedEngines]
        .flatMap(({ activePids: working }) => working)
        .filter(isRunning)
        .map(String),
  });
});

describe('SherpaEngine word times', () => {
  it.each([
    'tiny-parakeet',
    'tiny-zipformer',
    'tiny-sense-voice',
    'tiny-omnilingual',
    'tiny-whisper-attention',
  ])('words have the times at which they are spoken, with %s', async (name) => {
    const engine = await openTestEngine(name);
    expect(engine.capabilities.wordTimes).toBe(true);
    const { words } = await engine.transcribe(await recordPieces(SENTENCE), OPTIONS);
    expect(words.map(({ text }) => text)).toEqual(WORDS);
    // The sixth word has two pieces, and the last word a punctuation mark.
    [0, 1, 2, 3, 4, 5, 7, 8].forEach((firstPiece, index) => {
      const { start = -1, end = -1 } = words[index] ?? {};
      const lastPiece = firstPiece + (firstPiece === 5 || firstPiece === 8 ? 1 : 0);
      expect(Math.abs(start - pieceStartSeconds(firstPiece)), WORDS[index]).toBeLessThan(0.12);
      expect(end, WORDS[index]).toBeGreaterThan(pieceStartSeconds(lastPiece) + 0.2);
      expect(end, WORDS[index]).toBeLessThan(pieceStartSeconds(lastPiece + 1) + 0.12);
    });
  });

  it.each(['tiny-whisper', 'tiny-moonshine'])(
    'words lie within segments or pauses and are marked as estimated, with %s',
    async (name) => {
      const engine = await openTestEngine(name);
      expect(engine.capabilities.wordTimes).toBe(false);
      const { words, timesEstimated } = await engine.transcribe(await recordPieces(SENTENCE), OPTIONS);
      expect(timesEstimated).toBe(true);
      expect(words.map(({ text }) => text)).toEqual(WORDS);
      expect(words[0]?.start).toBeCloseTo(pieceStartSeconds(0), 1);
      // Segment times give the start of the last word; its mark is a separate piece.
      expect(words.at(-1)?.end).toBeGreaterThan(pieceStartSeconds(8) + TONE_SECONDS - 0.1);
      expect(words.at(-1)?.end).toBeLessThan(pieceStartSeconds(9) + TONE_SECONDS + 0.2);
    },
  );
});

describe('SherpaEngine', () => {
  it('words have the language of their window, and audio beyond half a minute is transcribed', async () => {
    for (const name of ['tiny-whisper', 'tiny-sense-voice']) {
      const english = renderPieces(repeatItems(3, SENTENCE));
      const chinese = renderPieces(repeatItems(10, ['你', '好', '.']));
      const samples = new Int16Array(english.length + chinese.length);
      samples.set(english);
      samples.set(chinese, english.length);
      const audio = { path: join(folder, 'both.wav'), duration: samples.length / SAMPLE_RATE };
      await writeFile(audio.path, encodeWav(samples));
      const { words, language } = await (await openTestEngine(name)).transcribe(audio, OPTIONS);
      expect(language).toBe('en');
      expect(words.map(({ text }) => text)).toEqual([
        ...repeatItems(3, WORDS),
        ...repeatItems(10, ['你好.']),
      ]);
      expect(words.at(-1)).toMatchObject({ language: 'zh' });
      expect(words[0]).toMatchObject({ language: 'en' });
      expect(words.at(-1)?.start).toBeGreaterThan(audio.duration - 4);
    }
  });

  it('characters that are split into byte tokens are joined', async () => {
    for (const name of ['tiny-whisper', 'tiny-parakeet', 'tiny-moonshine', 'tiny-moonshine-merged']) {
      const audio = await recordPieces(['▁call', '<0xC3>', '<0xA9>', '▁at']);
      const { words } = await (await openTestEngine(name)).transcribe(audio, OPTIONS);
      expect(
        words.map(({ text }) => text),
        name,
      ).toEqual(['callé', 'at']);
    }
  });

  it('confidence is that of the model, or null when it has none', async () => {
    const audio = await recordPieces(['▁mister', '▁smith']);
    for (const name of ['tiny-parakeet', 'tiny-zipformer']) {
      const engine = await openTestEngine(name);
      const [mister, smith] = (await engine.transcribe(audio, OPTIONS)).words;
      expect(mister?.confidence).toBeGreaterThan(0.95);
      expect(smith?.confidence).toBeGreaterThan(0.6);
      expect(smith?.confidence).toBeLessThan(0.8);
    }
    for (const name of ['tiny-whisper', 'tiny-moonshine', 'tiny-sense-voice', 'tiny-omnilingual']) {
      const { words } = await (await openTestEngine(name)).transcribe(audio, OPTIONS);
      expect(words.map(({ confidence }) => confidence)).toEqual([null, null]);
    }
  });

  it('unsupported terms are counted, and confidence changed by hotwords is null', async () => {
    const audio = await recordPieces(['▁mister', '▁smith', '.']);
    const options = { ...OPTIONS, vocabulary: ['Mister SMYTH', 'Zweibrücken', 'a/b'] };
    for (const [name, hasConfidence] of [
      ['tiny-parakeet', false],
      ['tiny-zipformer', true],
    ] as const) {
      const { words, unusedTerms } = await (await openTestEngine(name)).transcribe(audio, options);
      expect(words.map(({ text }) => text)).toEqual(['Mister', 'SMYTH.']);
      expect(unusedTerms).toBe(2);
      for (const { confidence } of words) expect(confidence !== null).toBe(hasConfidence);
    }
  });

  it('a process crash fails only its own chunk', async () => {
    const engine = await openTestEngine('tiny-sense-voice');
    const long = await recordPieces(repeatItems(12, ['slow']), 'long');
    const lost = engine.transcribe(long, OPTIONS).catch((error: unknown) => error);
    await expect.poll(() => engine.activePids, { interval: 5 }).toHaveLength(1);
    const other = engine.transcribe(await recordPieces(['▁call']), OPTIONS);
    process.kill(await findNativeHostPid(engine.activePids[0] ?? 0), 'SIGKILL');
    expect(await lost).toBeInstanceOf(EngineFailedError);
    expect((await other).words).toHaveLength(1);
  });

  it('the error names the model that cannot be loaded, the reason and how to download it', async () => {
    const models = join(folder, 'broken');
    const home = await makeModel(models, 'tiny-whisper');
    const whole = await getInstalledModel(models, 'tiny-whisper');
    const cases: [Partial<InstalledModel>, RegExp][] = [
      [{ family: 'silero' }, /not a recogniser/],
      [{ files: { tokens: whole.files['tokens'] ?? '' } }, /lacks files: encoder, decoder/],
      [{ files: { ...whole.files, tokens: join(home, 'absent.txt') } }, /unreadable vocabulary/],
      [{ files: { ...whole.files, encoder: whole.files['decoder'] ?? '' } }, /cannot be loaded \(.*n_mels/],
    ];
    for (const [change, reason] of cases) {
      const engine = new SherpaEngine({ model: { ...whole, ...change } });
      onTestFinished(() => engine.close());
      const check = engine.check();
      await expect(check).rejects.toBeInstanceOf(EngineUnavailableError);
      await expect(check).rejects.toThrow(reason);
      await expect(check).rejects.toThrow('npm run admin -- models pull tiny-whisper');
    }
  });

  it('closing leaves no files and no processes', async () => {
    const own = await mkdtemp(join(folder, 'temporary-'));
    vi.stubEnv('TMPDIR', own);
    onTestFinished(() => void vi.unstubAllEnvs());
    const engine = await openEngine('tiny-parakeet');
    const work = engine.transcribe(await recordPieces(['slow']), OPTIONS).catch((error: unknown) => error);
    await expect.poll(() => engine.activePids, { interval: 5 }).toHaveLength(1);
    const [pid = 0] = engine.activePids;
    expect(await readdir(own)).toHaveLength(1);
    await engine.close();
    expect(await work).toBeInstanceOf(EngineUnavailableError);
    expect(isRunning(pid)).toBe(false);
    expect(await readdir(own)).toEqual([]);
  });
});
