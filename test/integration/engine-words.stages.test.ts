import { buildChunkStageName } from '@app/jobs';
import { type ChunkTranscription, type RecognizedWord, type SpeechEngine } from '@app/speech';
import { getExporter, type TranscriptDocument } from '@app/transcript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TranscriptFileRenderer } from '../../apps/processor/src/aggregation/transcript-file-renderer.js';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { memoryStore as store, readStoredTranscript } from '../support/memory-store.js';
import { createAudioSource } from '../support/audio-source.js';

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
function createWords(line: string, start: number, language: string | null = null): RecognizedWord[] {
  return line.split(' ').map((text, at) => ({
    ...{ text, confidence: null, language },
    start: start + at * 0.2,
    end: start + (at + 1) * 0.2,
  }));
}

/** An engine that returns these results, one per chunk. */
function createScriptedEngine(results: ChunkTranscription[], packedSeconds?: number): SpeechEngine {
  const remaining = [...results];
  return {
    packedSeconds,
    capabilities: { languages: 'any', wordTimes: true, punctuation: false, vocabulary: false },
    identity: async () => ({ name: 'scripted', model: null, version: null }),
    transcribe: async () => remaining.shift() ?? expect.unreachable('there are more chunks than results'),
  } as Pick<SpeechEngine, 'capabilities' | 'identity' | 'packedSeconds' | 'transcribe'> as SpeechEngine;
}

/** Runs a sound through preprocess, chunks and aggregation. */
async function transcribe(
  sound: SyntheticSoundBuilder,
  results: ChunkTranscription[],
  packedSeconds?: number,
): Promise<TranscriptDocument> {
  const source = createAudioSource(sound.samples());
  const options = {
    ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
    concurrency: { chunk: 2 },
  } as ProcessorOptions;
  const engine = createScriptedEngine(results, packedSeconds);
  const jobId = await world.newJob();
  const preprocess = new PreprocessStage(source, store, world.hooks, options, NO_MODELS, engine);
  await world.run(jobId, 'preprocess', signal, (...args) => preprocess.work(...args));
  const chunk = new ChunkStage(store, engine, NO_MODELS);
  for (let index = 0; index < results.length; index += 1)
    await world.run(jobId, buildChunkStageName(index), signal, (stage, stop) => chunk.work(stage, stop));
  const aggregation = new AggregationStage(
    world.dataSource,
    store,
    engine,
    world.hooks,
    NO_MODELS,
    new TranscriptFileRenderer(),
  );
  await world.run(jobId, 'aggregation', signal, (stage, stop) => aggregation.work(stage, stop));
  return readStoredTranscript(world, jobId);
}

/** Sections of synthetic speech, separated by more silence than a chunk may contain. */
const generateSpeechSections = (...seconds: number[]) =>
  seconds.reduce(
    (sound, length) => sound.babble(length, 8000).silence(3),
    new SyntheticSoundBuilder().silence(1),
  );

describe('a transcript in several languages', () => {
  let transcript: TranscriptDocument;
  beforeAll(async () => {
    transcript = await transcribe(generateSpeechSections(2, 3.6, 1.6), [
      { language: 'de', words: createWords('guten tag wo ist der bahnhof', 0.4) },
      {
        language: 'en',
        words: [
          ...createWords('where do you live', 0.4),
          ...createWords('in paris in may', 2.2),
          ...createWords("c'est la vie", 3, 'fr'),
        ],
      },
      { language: 'de', words: createWords('das ist aber schön', 0.4) },
    ]);
  });

  it('a new segment begins where the language changes, and the most spoken language comes first', () => {
    const { segments, languages, language } = transcript;
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
      const text = String(await getExporter(format).render(transcript));
      for (const line of ['Guten tag', "C'est la vie.", 'Das ist aber schön.']) expect(text).toContain(line);
      expect(text.indexOf("C'est")).toBeLessThan(text.indexOf('Das ist'));
    }
  });
});

describe('an engine that works on half a minute at a time', () => {
  it('gets short sections together, and its words have their times in the file', async () => {
    // Each section has 0.3 s of silence around it in the audio: they begin at 0.3, 2.9 and 5.5 s of it.
    const words = [0.4, 3, 5.6].flatMap((start, index) => createWords(`section${index} ends`, start));
    const { segments, warnings, speakers } = await transcribe(
      generateSpeechSections(2, 2, 2),
      [{ language: 'en', words }],
      28,
    );
    const placed = segments.flatMap(({ words: said }) => said ?? []);
    expect(placed.map(({ word }) => word.toLowerCase().replace('.', ''))).toEqual([
      ...['section0', 'ends', 'section1', 'ends', 'section2', 'ends'],
    ]);
    for (const [index, begin] of [1.1, 6.1, 11.1].entries())
      expect(Math.abs((placed[2 * index]?.start ?? 0) - begin)).toBeLessThan(0.1);
    expect(warnings).toEqual([]);
    // The pauses between the sections do not count.
    for (const speaker of speakers) expect(speaker.duration).toBeLessThan(7);
  });
});

describe('characters that Postgres cannot store', () => {
  it('NUL and lone surrogates of an engine do not fail the chunk', async () => {
    const { text } = await transcribe(generateSpeechSections(2), [
      { language: 'de', words: createWords('gu\0ten \0 tag\ud83d', 0.4) },
    ]);
    expect(text).toBe('Guten tag\ufffd.');
  });
});

describe('hallucinated text of an engine', () => {
  it('words over silence and endless repetitions are removed, with a warning for each', async () => {
    // The pause is too short to split the chunk, and long enough to contain no speech in its middle.
    const sound = generateSpeechSections(2)
      .silence(1)
      .babble(1, 8000)
      .silence(1.9)
      .babble(1, 8000)
      .silence(3);
    const { text, warnings } = await transcribe(sound, [
      { language: 'en', words: createWords('thank you '.repeat(12).trim(), 0.3) },
      {
        language: 'en',
        words: [
          ...createWords('hello there', 0.4),
          ...createWords('subscribe', 2.1),
          ...createWords('no no no', 3.4),
        ],
      },
    ]);
    expect(text).toBe('Thank you. Hello there. No, no, no.');
    expect(warnings.map(({ code }) => code).toSorted()).toEqual(
      expect.arrayContaining(['repetition_dropped', 'text_over_silence']),
    );
    expect(warnings.find(({ code }) => code === 'text_over_silence')?.message).toContain('“subscribe”');
  });
});
