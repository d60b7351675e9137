import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  chunkAudioToSink,
  decodeWav,
  EngineUnavailableError,
  PocketsphinxEngine,
  readWav,
  SAMPLE_RATE,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeEngineContract } from '../../libs/speech/src/engine/engine.contract.js';
import { RELIABLY_RECOGNIZED_WORDS, SPOKEN_TEXT } from '../support/reliably-recognized-words.js';

const run = promisify(execFile);
const neverAborted = new AbortController().signal;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-pocketsphinx-'));
  await run('flite', ['-voice', 'slt', '-t', SPOKEN_TEXT, '-o', join(folder, 'speech.wav')]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Only children of this process, because other work on the machine may use the same program. */
async function ownProcesses(): Promise<string[]> {
  const { stdout } = await run('ps', ['--ppid', String(process.pid), '-o', 'stat=,args=']).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').filter((line) => line.includes('pocketsphinx_batch') && line.includes('-ctm'));
}

describeEngineContract('pocketsphinx', {
  // Without idle processes, every process is working. Other tests cover idle processes.
  create: async () => new PocketsphinxEngine({ idleSeconds: 0 }),
  speech: async () => {
    const path = join(folder, 'speech.wav');
    const duration = (await readWav(path, neverAborted)).length / SAMPLE_RATE;
    return { path, duration, words: RELIABLY_RECOGNIZED_WORDS };
  },
  term: async () => {
    const path = join(folder, 'term.wav');
    await run('flite', [
      '-voice',
      'slt',
      '-t',
      'Please ask Mister Kowalczyk about the contract.',
      '-o',
      path,
    ]);
    return { path, duration: (await readWav(path, neverAborted)).length / SAMPLE_RATE, term: 'Kowalczyk' };
  },
  activeWork: ownProcesses,
});

/** Keeps its processes, which take a moment to load the model. */
const sharedEngine = new PocketsphinxEngine();
afterAll(() => sharedEngine.close());

describe('pocketsphinx', () => {
  it('the engine deletes its files, also after an abort', async () => {
    const temporaryFolder = join(folder, 'temporary');
    await mkdir(temporaryFolder);
    // Other work on the machine uses the default directory.
    vi.stubEnv('TMPDIR', temporaryFolder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const engine = new PocketsphinxEngine({ idleSeconds: 0 });
    const controller = new AbortController();
    const [speech, start] = [join(folder, 'speech.wav'), join(folder, 'start.wav')];
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', speech, '-t', '2.5', start]);
    await engine.transcribe(
      { path: start, duration: 2.5 },
      { vocabulary: ['Kowalczyk'], signal: neverAborted },
    );
    const audio = { path: speech, duration: 10 };
    const options = { vocabulary: ['Kowalczyk'], signal: controller.signal };
    const work = engine.transcribe(audio, options).catch(() => undefined);
    await expect.poll(() => readdir(temporaryFolder), { timeout: 10_000 }).not.toEqual([]);
    await expect.poll(ownProcesses, { timeout: 10_000 }).not.toEqual([]);
    controller.abort();
    await work;
    expect(await readdir(temporaryFolder)).toEqual([]);
  });

  it('the check names the packages to install when the model is missing', async () => {
    const check = new PocketsphinxEngine({ modelFolder: folder }).check();
    await expect(check).rejects.toBeInstanceOf(EngineUnavailableError);
    await expect(check).rejects.toThrow(/apt install pocketsphinx pocketsphinx-en-us/);
  });

  it('the engine recognizes most words of a very quiet recording', async () => {
    const quiet = join(folder, 'quiet.wav');
    const filter = ['-af', 'volume=-55dB'];
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', join(folder, 'speech.wav'), ...filter, quiet]);
    const transcription = await sharedEngine.transcribe(
      { path: quiet, duration: 10 },
      { vocabulary: [], signal: neverAborted },
    );
    const words = new Set(transcription.words.map(({ text }) => text));
    // It was three without normalization of quiet sound.
    expect(RELIABLY_RECOGNIZED_WORDS.filter((word) => words.has(word)).length).toBeGreaterThanOrEqual(7);
  });

  it('word times refer to the whole file across chunks', async () => {
    const path = join(folder, 'late.flac');
    const source = join(folder, 'speech.wav');
    await run('ffmpeg', ['-v', 'error', '-i', source, '-af', 'adelay=4000,apad=pad_dur=5', path]);
    const chunkWords: { text: string; start: number }[] = [];
    const chunks: number[] = [];
    await chunkAudioToSink({ path, targetSeconds: 3, maxSeconds: 8, signal: neverAborted }, async (chunk) => {
      const samples = decodeWav(chunk.wav);
      chunks.push(chunk.end - chunk.start - samples.length / SAMPLE_RATE);
      const file = join(folder, `chunk-${chunk.index}.wav`);
      await writeFile(file, chunk.wav);
      const audio = { path: file, duration: chunk.end - chunk.start };
      const { words } = await sharedEngine.transcribe(audio, { vocabulary: [], signal: neverAborted });
      chunkWords.push(...words.map((word) => ({ text: word.text, start: chunk.start + word.start })));
    });
    expect(chunks.length).toBeGreaterThanOrEqual(2);
    for (const difference of chunks) expect(Math.abs(difference)).toBeLessThan(1e-9);

    const whole = await sharedEngine.transcribe(
      { path: source, duration: 0 },
      { vocabulary: [], signal: neverAborted },
    );
    for (const word of ['train', 'letter', 'window']) {
      const expected = whole.words.find((one) => one.text === word)?.start ?? Number.NaN;
      const start = chunkWords.find((one) => one.text === word)?.start ?? Number.NaN;
      expect(Math.abs(start - 4 - expected), word).toBeLessThan(0.15);
    }
  });
});

const RECORDINGS = join(import.meta.dirname, '../../../shared/audio/librivox');
if (!existsSync(RECORDINGS))
  console.log('Skipped real recordings: the folder ../shared/audio/librivox does not exist.');

describe.skipIf(!existsSync(RECORDINGS))('pocketsphinx on real recordings', () => {
  it('the engine recognizes most words of read speech', async () => {
    let referenceWords = 0;
    let matchedWords = 0;
    for (const name of (await readdir(RECORDINGS)).filter((file) => file.endsWith('.wav'))) {
      const audio = { path: join(RECORDINGS, name), duration: 0 };
      const { words } = await sharedEngine.transcribe(audio, { vocabulary: [], signal: neverAborted });
      const recognized = words.map((word) => word.text);
      const reference = (await readFile(join(RECORDINGS, name.replace('.wav', '.txt')), 'utf8'))
        .trim()
        .split(/\s+/);
      referenceWords += reference.length;
      matchedWords += countCommonInOrder(reference, recognized);
    }
    console.log(`Read speech: ${matchedWords} of ${referenceWords} words found in order.`);
    expect(matchedWords / referenceWords).toBeGreaterThan(0.65);
  });
});

/** The length of the longest common subsequence. */
function countCommonInOrder(a: string[], b: string[]): number {
  let previous = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const row = [0];
    b.forEach((other, at) => {
      row.push(word === other ? (previous[at] ?? 0) + 1 : Math.max(previous[at + 1] ?? 0, row[at] ?? 0));
    });
    previous = row;
  }
  return previous[b.length] ?? 0;
}
