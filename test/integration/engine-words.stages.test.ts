import { type ChunkTranscription, type RecognizedWord, type SpeechEngine } from '@app/speech';
import { getExporter, type TranscriptDocument } from '@app/transcript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { transcribeByStages } from '../support/transcribe-by-stages.js';

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

/** An engine that takes its results from a list, one per chunk. */
function createScriptedEngine(remaining: ChunkTranscription[], packedSeconds?: number): SpeechEngine {
  return {
    packedSeconds,
    capabilities: { languages: 'any', wordTimes: true, punctuation: false, vocabulary: false },
    identity: async () => ({ name: 'scripted', model: null, version: null }),
    transcribe: async () => remaining.shift() ?? expect.unreachable('there are more chunks than results'),
  } as Pick<SpeechEngine, 'capabilities' | 'identity' | 'packedSeconds' | 'transcribe'> as SpeechEngine;
}

/** Each result is that of one chunk. */
async function transcribe(
  sound: SyntheticSoundBuilder,
  results: ChunkTranscription[],
  packedSeconds?: number,
): Promise<TranscriptDocument> {
  const remaining = [...results];
  const engine = createScriptedEngine(remaining, packedSeconds);
  const document = await transcribeByStages(world, sound.samples(), engine);
  expect(remaining).toEqual([]);
  return document;
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
