import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  decodeWav,
  encodeWav,
  EngineFailedError,
  type RecognizedWord,
  PocketsphinxEngine,
  type PocketsphinxOptions,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { locatePocketsphinxModelAndSupportedFlags } from '../../libs/speech/src/engine/pocketsphinx/installation.js';
import { PocketsphinxProcess } from '../../libs/speech/src/engine/pocketsphinx/pocketsphinx-process.js';
import { findEnginePids, findRunningProcesses, nextEventLoopTurn } from '../support/engine-processes.js';

const run = promisify(execFile);
const neverAborted = new AbortController().signal;
/** Long enough for a busy machine. */
const WAIT_OPTIONS = { timeout: 10_000 };
const TEXT = 'The train leaves at nine.';

let folder: string;
let temporary: string;
let engine: PocketsphinxEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-kept-'));
  temporary = join(folder, 'temporary');
  await mkdir(temporary);
  await run('flite', ['-voice', 'slt', '-t', TEXT, '-o', join(folder, 'speech.wav')]);
  await run('flite', ['-voice', 'rms', '-t', 'Something else.', '-o', join(folder, 'other.wav')]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Creates an engine with its own temporary folder; checks after the tests that no file and no process is left. */
function useEngine(options: PocketsphinxOptions): void {
  beforeAll(() => {
    vi.stubEnv('TMPDIR', temporary);
    engine = new PocketsphinxEngine(options);
  });
  afterAll(async () => {
    await engine.close();
    expect(await findEnginePids()).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
    vi.unstubAllEnvs();
  });
}

async function transcribe(
  name: string,
  vocabulary: string[] = [],
  signal = neverAborted,
): Promise<RecognizedWord[]> {
  const { words } = await engine.transcribe(
    { path: join(folder, name), duration: 0 },
    { vocabulary, signal },
  );
  return words;
}

describe('a pooled pocketsphinx process', () => {
  useEngine({ maxProcesses: 1 });
  let firstWords: RecognizedWord[];

  it('the process transcribes the next chunk as if it were the first', async () => {
    firstWords = await transcribe('speech.wav');
    const [pid] = await findEnginePids();
    expect(firstWords.map(({ text }) => text)).toContain('train');
    await transcribe('other.wav');
    expect(await transcribe('speech.wav')).toEqual(firstWords);
    expect(await findEnginePids()).toEqual([pid]);
  });

  it('the process stays available when a waiting chunk is aborted', async () => {
    const before = await findEnginePids();
    const controller = new AbortController();
    const wanted = transcribe('other.wav');
    const unwanted = transcribe('speech.wav', [], controller.signal).catch((error: unknown) => error);
    controller.abort('no longer');
    expect(await unwanted).toBe('no longer');
    expect(await wanted).not.toEqual([]);
    expect(await findEnginePids()).toEqual(before);
  });

  it('a crash fails only the current chunk', async () => {
    const [pid = 0] = await findEnginePids();
    const failing = transcribe('speech.wav').catch((error: unknown) => error);
    await expect.poll(listAudioFiles).toEqual(['speech.wav']);
    const next = transcribe('other.wav');
    process.kill(pid, 'SIGKILL');
    expect(await failing).toBeInstanceOf(EngineFailedError);
    expect(await next).not.toEqual([]);
  });

  it('audio is not written through a link that the process left', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await transcribe('other.wav');
    const [processFolder = ''] = await listProcessFolders();
    await symlink(victim, join(temporary, processFolder, 'speech.wav'));
    await expect(transcribe('other.wav')).rejects.toBeInstanceOf(EngineFailedError);
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect(await transcribe('other.wav')).not.toEqual([]);
  });

  it('a process that died while idle is replaced', async () => {
    for (const pid of await findEnginePids()) process.kill(pid, 'SIGKILL');
    await expect.poll(() => findRunningProcesses(temporary)).toEqual([]);
    expect(await transcribe('speech.wav')).toEqual(firstWords);
  });

  it('an idle process is evicted for one with another vocabulary, which shares none of its files', async () => {
    const [firstPid] = await findEnginePids();
    const usualFolders = await listProcessFolders();
    await transcribe('other.wav', ['Kowalczyk']);
    const place = await listProcessFolders();
    expect(place).toHaveLength(1);
    expect(place).not.toEqual(usualFolders);
    const [vocabularyPid] = await findEnginePids();
    await transcribe('other.wav', ['Kowalczyk']);
    expect(await findEnginePids()).toEqual([vocabularyPid]);
    expect(await transcribe('speech.wav')).toEqual(firstWords);
    expect(new Set([firstPid, vocabularyPid, ...(await findEnginePids())]).size).toBe(3);
  });
});

describe('concurrent pocketsphinx processes', () => {
  useEngine({ maxProcesses: 2, idleSeconds: 1 });

  it('processes do not exceed the limit, return equal words and leave no audio', async () => {
    const all = Promise.all(['speech.wav', 'other.wav', 'speech.wav'].map((name) => transcribe(name)));
    const seen: number[] = [];
    for (let done = false; !done; seen.push((await findEnginePids()).length)) {
      done = await Promise.race([all.then(() => true), nextEventLoopTurn()]);
    }
    const [first, , third] = await all;
    expect(third).toEqual(first);
    expect(Math.max(...seen)).toBe(2);
    expect(await listAudioFiles()).toEqual([]);
  });

  it('many utterances of one chunk cause no listener leak warning', async () => {
    const warned: string[] = [];
    const onWarning = ({ name }: Error): void => void warned.push(name);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const speech = decodeWav(await readFile(join(folder, 'other.wav')));
    const pause = new Int16Array(speech.length / 2);
    const many = Array.from({ length: 12 }, () => [...speech, ...pause]).flat();
    await writeFile(join(folder, 'many.wav'), encodeWav(Int16Array.from(many)));
    const recognizedWords = (await transcribe('many.wav')).map(({ text }) => text);
    expect(recognizedWords.filter((word) => word === 'something')).toHaveLength(12);
    expect(warned).toEqual([]);
  });

  it('each process has an extended model, which is removed with it', async () => {
    const recognizedWords = transcribe('many.wav', ['Kowalczyk']);
    await expect.poll(() => findEnginePids('language.bin'), WAIT_OPTIONS).toHaveLength(2);
    expect(await listFiles('language.bin')).toHaveLength(2);
    await recognizedWords;
    for (const pid of await findEnginePids()) process.kill(pid, 'SIGKILL');
    await expect.poll(() => findRunningProcesses(temporary), WAIT_OPTIONS).toEqual([]);
    expect(await transcribe('other.wav', ['Kowalczyk'])).not.toEqual([]);
    await expect.poll(() => readdir(temporary), WAIT_OPTIONS).toEqual([]);
  });

  it('a failed start leaves no files', async () => {
    const vocabulary = {
      ...{ dictionaryLines: 'term:0 K AH B\n', addedWords: [{ word: 'term:0', probability: 0.001 }] },
      ...{ termsByEngineName: new Map(), phrases: [], unusedTerms: 0 },
    };
    const installation = await locatePocketsphinxModelAndSupportedFlags(neverAborted);
    const starting = PocketsphinxProcess.start(installation, vocabulary, AbortSignal.abort('closed'));
    await expect(starting).rejects.toBe('closed');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('idle processes end after their timeout', async () => {
    await expect.poll(() => findEnginePids(), WAIT_OPTIONS).toEqual([]);
    await expect.poll(() => readdir(temporary)).toEqual([]);
    expect(await transcribe('other.wav')).not.toEqual([]);
  });
});

/** Working folders of the processes. */
async function listProcessFolders(): Promise<string[]> {
  const paths = await readdir(temporary, { recursive: true });
  return paths.filter((path) => basename(path) === 'silence.wav').map((path) => dirname(path));
}

/** Names of the audio files, without the silence that every process has. */
async function listAudioFiles(): Promise<string[]> {
  return (await listFiles('.wav')).filter((name) => name !== 'silence.wav');
}

/** Names of the files of all processes with this ending. */
async function listFiles(ending: string): Promise<string[]> {
  const paths = await readdir(temporary, { recursive: true });
  return paths.map((path) => basename(path)).filter((name) => name.endsWith(ending));
}
