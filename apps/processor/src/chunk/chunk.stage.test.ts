import { writeFile } from 'node:fs/promises';
import { inTransaction } from '@app/database';
import {
  type ClaimedStage,
  DependencyCrashedError,
  DependencyUnavailableError,
  type StageCommitCallback,
} from '@app/jobs';
import { encodeWav, EngineFailedError, EngineUnavailableError, type SpeechEngine } from '@app/speech';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { ChunkStage, createChunkCommitCallback } from './chunk.stage.js';

const stage = {
  input: { key: 'k', start: 0, end: 1, speech: [] },
  job: { options: { custom_vocabulary: null, speaker_labels: false } },
} as unknown as ClaimedStage;

const neverAborted = new AbortController().signal;

/** One speaker from 0.5 to 3.5 s, as an extractor returns it. */
const ENCODED_SPEAKER = 'n1:tiny:{"alike":0.5,"voices":[{"turns":[[500,3500]],"print":null}]}';

const silentEngine = {
  transcribe: async () => ({ language: null, words: [] }),
  identity: async () => ({ name: 'scripted', model: null, version: null }),
  capabilities: { languages: 'any', wordTimes: true, punctuation: false, vocabulary: false },
} as Partial<SpeechEngine> as SpeechEngine;

/** The voices that the commit stores with the stage. */
async function readStoredVoices(commit: StageCommitCallback): Promise<string | null> {
  const results: string[] = [];
  const bind = ({ values }: { values: unknown[] }) =>
    results.push(
      ...values.filter((each) => typeof each === 'string').filter((each) => each.includes('"voices"')),
    );
  const ignore = () => undefined;
  const connection = {
    ...{ stream: { cork: ignore, uncork: ignore }, close: ignore, parse: ignore, bind },
    ...{ describe: ignore, execute: ignore, sync: ignore },
  };
  const query = (batch: { submit(to: object): void; handleReadyForQuery(): void }) => {
    batch.submit(connection);
    batch.handleReadyForQuery();
  };
  const dataSource = { query: async () => [] } as Partial<DataSource> as DataSource;
  const manager = { dataSource };
  const runner = { manager, query: ignore, connect: async () => ({ query }), release: async () => undefined };
  Object.assign(dataSource, { createQueryRunner: () => runner });
  await inTransaction(dataSource, commit);
  return (JSON.parse(results[0] ?? '{}') as { voices: string | null }).voices;
}

/** The error of a chunk whose engine throws `thrown`. */
function errorOfChunk(thrown: Error): Promise<unknown> {
  const transcribe = async () => {
    throw thrown;
  };
  const engine = { transcribe } as unknown as SpeechEngine;
  const store = { fetchToFile: async () => undefined } as unknown as ObjectStore;
  const chunk = new ChunkStage(store, engine, { speakerFeatureExtractor: null, languageIdentifier: null });
  return chunk.transcribe(stage, new AbortController().signal).catch((error: unknown) => error);
}

describe('ChunkStage', () => {
  it('throws DependencyUnavailableError with the cause when the engine is unavailable', async () => {
    const error = await errorOfChunk(new EngineUnavailableError('openai', 'nobody listens there.'));
    expect(error).toBeInstanceOf(DependencyUnavailableError);
    expect(String(error)).toContain('nobody listens there.');
  });

  it('throws DependencyCrashedError when the engine went down over the chunk', async () => {
    const error = new EngineUnavailableError('openai', 'it is gone.', { isChunkSuspected: true });
    expect(await errorOfChunk(error)).toBeInstanceOf(DependencyCrashedError);
    expect(await errorOfChunk(new EngineUnavailableError('openai', ''))).not.toBeInstanceOf(
      DependencyCrashedError,
    );
  });

  it('rethrows the error of an engine that fails on the chunk', async () => {
    const failed = new EngineFailedError('openai');
    expect(await errorOfChunk(failed)).toBe(failed);
  });

  it('aborts the voice description when the engine is unavailable, and waits for it to end', async () => {
    const events: string[] = [];
    let markStarted: () => void = () => undefined;
    const extractionStarted = new Promise<void>((resolve) => (markStarted = resolve));
    const extract = async (_: Int16Array, signal: AbortSignal): Promise<string> => {
      markStarted();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      events.push('extraction aborted');
      throw signal.reason;
    };
    const transcribe = async () => {
      await extractionStarted;
      throw new EngineUnavailableError('openai', 'nobody listens there.');
    };
    const fetchToFile = (_: string, path: string) => writeFile(path, encodeWav(new Int16Array(16_000)));
    const chunk = new ChunkStage(
      { fetchToFile } as unknown as ObjectStore,
      { transcribe } as unknown as SpeechEngine,
      { speakerFeatureExtractor: { extract }, languageIdentifier: null },
    );
    const labelled = { ...stage, job: { options: { ...stage.job.options, speaker_labels: true } } };
    const work = chunk.transcribe(labelled as ClaimedStage, new AbortController().signal);
    await expect(work.finally(() => void events.push('ended'))).rejects.toBeInstanceOf(
      DependencyUnavailableError,
    );
    expect(events).toEqual(['extraction aborted', 'ended']);
  });

  it('the chunk that ends a block describes the voices in the audio of all its chunks', async () => {
    const described: number[] = [];
    const extract = async (samples: Int16Array) => {
      described.push(samples.length);
      return ENCODED_SPEAKER;
    };
    const stored: Record<string, number> = { first: 2, second: 1, last: 3 };
    const fetchToFile = (key: string, path: string) =>
      writeFile(path, encodeWav(new Int16Array((stored[key] ?? 0) * 16_000)));
    const chunk = new ChunkStage({ fetchToFile } as unknown as ObjectStore, silentEngine, {
      speakerFeatureExtractor: { extract },
      languageIdentifier: null,
    });
    const chunks = [
      { key: 'first', parts: [{ audioStart: 0, start: 0, end: 2 }] },
      { key: 'second', parts: [{ audioStart: 2, start: 10, end: 11 }] },
      { key: 'last', parts: [{ audioStart: 3, start: 30, end: 33 }] },
    ];
    const voicesOf = async (input: object) => {
      const job = { options: { ...stage.job.options, speaker_labels: true } };
      const claimed = { ...stage, job, input } as unknown as ClaimedStage;
      const output = await chunk.transcribe(claimed, neverAborted);
      return readStoredVoices(createChunkCommitCallback(claimed, output));
    };
    expect(await voicesOf({ key: 'first', start: 5, end: 7, speakerBlock: { start: 5 } })).toBeNull();
    const voices = await voicesOf({ key: 'last', start: 35, end: 38, speakerBlock: { start: 5, chunks } });
    expect(described).toEqual([6 * 16_000]);
    // From 0.5 to 3.5 s of the audio, in three parts of the file.
    expect(voices).toContain('[[500,2000],[10000,11000],[30000,30500]]');
  });

  it('transcribes a chunk whose measured voices are too far apart to be stored', async () => {
    const word = { text: 'hello', start: 0.2, end: 0.6, confidence: null, language: null };
    const talkingEngine = { ...silentEngine, transcribe: async () => ({ language: 'en', words: [word] }) };
    const samples = Int16Array.from({ length: 32_000 }, (_, at) => {
      const swell = Math.sin((Math.PI * at) / 4_000) ** 2;
      return 6_000 * swell * Math.sign(Math.sin((2 * Math.PI * 130 * at) / 16_000));
    });
    const fetchToFile = (_: string, path: string) => writeFile(path, encodeWav(samples));
    const chunk = new ChunkStage({ fetchToFile } as unknown as ObjectStore, talkingEngine, {
      speakerFeatureExtractor: null,
      languageIdentifier: null,
    });
    const outputOf = (start: number) => {
      const chunks = [
        { key: 'first', parts: [{ audioStart: 0, start: 0, end: 2 }] },
        { key: 'last', parts: [{ audioStart: 2, start, end: start + 2 }] },
      ];
      const input = { key: 'last', start, end: start + 2, speakerBlock: { start: 0, chunks } };
      const job = { options: { ...stage.job.options, speaker_labels: true } };
      return chunk.transcribe({ ...stage, job, input } as unknown as ClaimedStage, neverAborted);
    };
    expect(await outputOf(1_000)).toMatchObject({ words: [word], voices: expect.any(String) as string });
    expect(await outputOf(1_400)).toMatchObject({ words: [word], voices: null });
  });

  it.each([
    ['lasts into the next one', [10.3, 10.8, 11], [9.5, 10, 250.3, 250.8, 250.8, 251]],
    ['lasts until the next one', [10.6, 10.8, 11], [9.5, 10, 250.6, 250.8, 250.8, 251]],
    ['lasts too long and is the last one', [], [9.5, 10]],
  ])('a word that %s stays in its part of the file', async (_, [well, so = 0, end = 0], expected) => {
    const word = (text: string, start: number, until: number) => ({
      ...{ text, start, end: until },
      ...{ confidence: null, language: null },
    });
    const after = well === undefined ? [] : [word('well', well, so), word('so', so, end)];
    const words = [word('yes', 9.5, 10.6), ...after];
    const parts = [
      { audioStart: 0, start: 0, end: 10 },
      { audioStart: 10, start: 250, end: 260 },
    ];
    const input = { key: 'k', start: 0, end: 260, speech: [], packed: { seconds: 20, parts } };
    const chunk = new ChunkStage(
      { fetchToFile: async () => undefined } as unknown as ObjectStore,
      { ...silentEngine, transcribe: async () => ({ language: 'en', words }) },
      { speakerFeatureExtractor: null, languageIdentifier: null },
    );
    const output = await chunk.transcribe({ ...stage, input } as unknown as ClaimedStage, neverAborted);
    const times = output.words.flatMap((placed) => [placed.start, placed.end]);
    expect(times).toHaveLength(expected.length);
    for (const [index, time] of expected.entries()) expect(times[index]).toBeCloseTo(time, 6);
  });

  it('passes the detected speech to the engine, and who detected it', async () => {
    const heard: unknown[] = [];
    const transcribe = async (audio: unknown) => {
      heard.push(audio);
      return { language: null, words: [] };
    };
    const chunk = new ChunkStage(
      { fetchToFile: async () => undefined } as unknown as ObjectStore,
      {
        transcribe,
        identity: async () => ({ name: 'scripted', model: null, version: null }),
        capabilities: { languages: 'any', wordTimes: true, punctuation: false, vocabulary: false },
      } as Partial<SpeechEngine> as SpeechEngine,
      { speakerFeatureExtractor: null, languageIdentifier: null },
    );
    const spans = [{ start: 0.2, end: 0.8 }];
    for (const input of [
      { speech: spans, speechDetector: 'model' },
      { speech: spans },
      { speech: undefined },
    ]) {
      const claimed = { ...stage, input: { ...stage.input, ...input } } as unknown as ClaimedStage;
      await chunk.transcribe(claimed, new AbortController().signal);
    }
    expect(heard).toMatchObject([
      { duration: 1, speech: { detector: 'model', spans } },
      { duration: 1, speech: { detector: 'level', spans } },
      { duration: 1 },
    ]);
  });
});
