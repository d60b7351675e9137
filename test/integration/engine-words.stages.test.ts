import { buildChunkStageName } from '@app/jobs';
import { type ChunkTranscription, type RecognizedWord, type SpeechEngine } from '@app/speech';
import { getExporter, type TranscriptDocument } from '@app/transcript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { SyntheticSound } from '../../libs/speech/src/vad/testing/synthetic-sound.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { memoryStore as store, readStoredTranscript } from '../support/memory-store.js';
import { createAudioSource } from '../support/audio-source.js';

/** Runs the stages with an engine that returns scripted results. */

const { signal } = new AbortController();
const NO_MODELS = {
  speechDetector: null,
  speakerFeatureExtractor: null,
  languageIdentifier: null,
  punctuator: null,
};

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

/** Consecutive words of 0.2 s each. */
function words(line: string, start: number, language: string | null = null): RecognizedWord[] {
  return line.split(' ').map((text, at) => ({
    ...{ text, confidence: null, language },
    start: start + at * 0.2,
    end: start + (at + 1) * 0.2,
  }));
}

/** An engine that returns these results, one per chunk. */
function scripted(results: ChunkTranscription[]): SpeechEngine {
  const remaining = [...results];
  return {
    capabilities: { languages: 'any', wordTimes: true, punctuation: false, vocabulary: false },
    identity: async () => ({ name: 'scripted', model: null, version: null }),
    transcribe: async () => remaining.shift() ?? expect.unreachable('more chunks than the script has'),
  } as Pick<SpeechEngine, 'capabilities' | 'identity' | 'transcribe'> as SpeechEngine;
}

/** Runs a sound through preprocess, chunks and aggregation. */
async function transcribed(
  sound: SyntheticSound,
  results: ChunkTranscription[],
): Promise<TranscriptDocument> {
  const source = createAudioSource(sound.samples());
  const options = {
    ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
    concurrency: { chunk: 2 },
  } as ProcessorOptions;
  const engine = scripted(results);
  const jobId = await world.newJob();
  const preprocess = new PreprocessStage(source, store, world.hooks, options, NO_MODELS, engine);
  await world.run(jobId, 'preprocess', signal, (...given) => preprocess.work(...given));
  const chunk = new ChunkStage(store, engine, NO_MODELS);
  for (let index = 0; index < results.length; index += 1)
    await world.run(jobId, buildChunkStageName(index), signal, (stage, stop) => chunk.work(stage, stop));
  const end = new AggregationStage(world.dataSource, store, engine, world.hooks, NO_MODELS);
  await world.run(jobId, 'aggregation', signal, (stage, stop) => end.work(stage, stop));
  return readStoredTranscript(world, jobId);
}

/** Sections of synthetic speech, separated by more silence than a chunk may contain. */
const stretches = (...seconds: number[]) =>
  seconds.reduce((sound, length) => sound.babble(length, 8000).silence(3), new SyntheticSound().silence(1));

describe('a transcript in several languages', () => {
  let spoken: TranscriptDocument;
  beforeAll(async () => {
    spoken = await transcribed(stretches(2, 3.6, 1.6), [
      { language: 'de', words: words('guten tag wo ist der bahnhof', 0.4) },
      {
        language: 'en',
        words: [
          ...words('where do you live', 0.4),
          ...words('in paris in may', 2.2),
          ...words("c'est la vie", 3, 'fr'),
        ],
      },
      { language: 'de', words: words('das ist aber schön', 0.4) },
    ]);
  });

  it('a new segment begins where the language changes, and the most spoken language comes first', () => {
    const { segments, languages, language } = spoken;
    expect(segments.map(({ language: one, text }) => [one, text])).toEqual([
      ['de', 'Guten tag wo ist der bahnhof.'],
      ['en', 'Where do you live?'],
      ['en', 'In Paris in May.'],
      ['fr', "C'est la vie."],
      ['de', 'Das ist aber schön.'],
    ]);
    expect(languages).toEqual(['de', 'en', 'fr']);
    expect(language).toBe('de');
  });

  it('every text format renders the segments of all languages in order', async () => {
    for (const format of ['txt', 'srt', 'vtt'] as const) {
      const text = String(await getExporter(format).render(spoken));
      for (const line of ['Guten tag', "C'est la vie.", 'Das ist aber schön.']) expect(text).toContain(line);
      expect(text.indexOf("C'est")).toBeLessThan(text.indexOf('Das ist'));
    }
  });
});

describe('hallucinated text of an engine', () => {
  it('words over silence and endless repetitions are removed, with a warning for each', async () => {
    // The pause is too short to split the chunk, and long enough to contain no speech in its middle.
    const sound = stretches(2).silence(1).babble(1, 8000).silence(1.9).babble(1, 8000).silence(3);
    const { text, warnings } = await transcribed(sound, [
      { language: 'en', words: words('thank you '.repeat(12).trim(), 0.3) },
      {
        language: 'en',
        words: [...words('hello there', 0.4), ...words('subscribe', 2.1), ...words('no no no', 3.4)],
      },
    ]);
    expect(text).toBe('Thank you. Hello there. No, no, no.');
    expect(warnings.map(({ code }) => code).toSorted()).toEqual(
      expect.arrayContaining(['repetition_dropped', 'text_over_silence']),
    );
    expect(warnings.find(({ code }) => code === 'text_over_silence')?.message).toContain('“subscribe”');
  });
});
