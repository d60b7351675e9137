import { writeFile } from 'node:fs/promises';
import { type ClaimedStage, DependencyUnavailableError } from '@app/jobs';
import { encodeWav, EngineFailedError, EngineUnavailableError, type SpeechEngine } from '@app/speech';
import type { ObjectStore } from '@app/storage';
import { describe, expect, it } from 'vitest';
import { ChunkStage } from './chunk.stage.js';

const stage = {
  input: { key: 'k', start: 0, end: 1, speech: [] },
  job: { options: { custom_vocabulary: null, speaker_labels: false } },
} as unknown as ClaimedStage;

/** The error of a chunk whose engine throws `thrown`. */
function errorOfChunk(thrown: Error): Promise<unknown> {
  const transcribe = async () => {
    throw thrown;
  };
  const engine = { transcribe } as unknown as SpeechEngine;
  const store = { fetchToFile: async () => undefined } as unknown as ObjectStore;
  const chunk = new ChunkStage(store, engine, { speakerFeatureExtractor: null, languageIdentifier: null });
  return chunk.work(stage, new AbortController().signal).catch((error: unknown) => error);
}

describe('ChunkStage', () => {
  it('throws DependencyUnavailableError with the cause when the engine is unavailable', async () => {
    const error = await errorOfChunk(new EngineUnavailableError('openai', 'nobody listens there.'));
    expect(error).toBeInstanceOf(DependencyUnavailableError);
    expect(String(error)).toContain('nobody listens there.');
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
    const work = chunk.work(labelled as ClaimedStage, new AbortController().signal);
    await expect(work.finally(() => void events.push('ended'))).rejects.toBeInstanceOf(
      DependencyUnavailableError,
    );
    expect(events).toEqual(['extraction aborted', 'ended']);
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
      await chunk.work(claimed, new AbortController().signal);
    }
    expect(heard).toMatchObject([
      { duration: 1, speech: { detector: 'model', spans } },
      { duration: 1, speech: { detector: 'level', spans } },
      { duration: 1 },
    ]);
  });
});
