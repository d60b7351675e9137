import {
  type ChunkFile,
  type RecognitionOptions,
  type ChunkTranscription,
  readChunkSamples,
  type RecognizedWord,
  type SpeechEngine,
  type TimeSpan,
} from '../engine/engine.js';
import { EngineWrapper } from '../engine/engine-wrapper.js';
import { supportsLanguage } from '../engine/language-tag.js';
import { findDiskFullCode } from '../tool/scratch-directory.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import type {
  AlignmentResult,
  AlignedWord,
  WordAndTermAligner,
  AlignmentSegment,
} from './word-and-term-aligner.js';
import { padSpans } from '../vad/utterances.js';

/** Adds exact word times to engines that estimate them, and vocabulary terms to engines that support none. */
export class WordAndTermAlignmentEngineWrapper extends EngineWrapper {
  constructor(
    engine: SpeechEngine,
    private readonly aligner: WordAndTermAligner,
    /** The words keep the times of the engine when alignment fails. */
    private readonly onAlignmentError: (error: unknown) => void,
  ) {
    const { languages } = engine.capabilities;
    const shared = languages === 'any' || languages.some((language) => aligner.languages.includes(language));
    super(engine, { ...engine.capabilities, vocabulary: engine.capabilities.vocabulary || shared });
  }

  async transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    const supportsVocabulary = this.engine.capabilities.vocabulary;
    const result = await this.engine.transcribe(
      audio,
      supportsVocabulary ? options : { ...options, vocabulary: [] },
    );
    return this.align(audio, supportsVocabulary ? { ...options, vocabulary: [] } : options, result);
  }

  override async close(): Promise<void> {
    this.aligner.close();
    await super.close();
  }

  /** @param options with the vocabulary that is left for the aligner */
  private async align(
    audio: ChunkFile,
    options: RecognitionOptions,
    result: ChunkTranscription,
  ): Promise<ChunkTranscription> {
    const { vocabulary: terms, signal } = options;
    const needsAlignment = result.timesEstimated === true || terms.length > 0;
    if (!needsAlignment || result.words.length === 0) return result;
    const unused = terms.length > 0 ? { unusedTerms: terms.length } : {};
    const isAlignable = (language: string | null): boolean =>
      supportsLanguage(this.aligner.languages, language ?? result.language ?? '');
    if (!result.words.some(({ language }) => isAlignable(language))) return { ...result, ...unused };
    const samples = await readChunkSamples(audio.path, signal);
    const all = groupWordsIntoAlignmentSegments(result.words, samples.length / SAMPLE_RATE);
    const isAligned = all.map(({ language }) => isAlignable(language));
    const segments = all
      .filter((_, index) => isAligned[index])
      .map(({ start, end, words }) => ({ start, end, words }));
    const aligned = await this.aligner.align({ samples, segments, terms, signal }).catch((error: unknown) => {
      // The words are valid without exact times. A full disk, however, is temporary: the chunk is retried.
      signal.throwIfAborted();
      if (findDiskFullCode(error) !== null) throw error;
      this.onAlignmentError(error);
      return null;
    });
    if (!aligned) return { ...result, ...unused };
    const found = aligned.segments.values();
    const complete = all.map(({ words }, index) => {
      const own = isAligned[index] ? found.next().value : undefined;
      return own ?? { found: null, count: words.length };
    });
    return {
      ...result,
      ...applyAlignment(result, complete),
      // An aligner without terms does not know which of them the engine left out.
      ...(terms.length > 0 && { unusedTerms: aligned.unusedTerms }),
    };
  }
}

/** Segments that were not aligned keep their words. */
function applyAlignment(
  { words, timesEstimated }: ChunkTranscription,
  segments: AlignmentResult['segments'],
): Partial<ChunkTranscription> {
  let first = 0;
  const merged: RecognizedWord[] = [];
  for (const { found, count } of segments) {
    const originals = words.slice(first, first + count);
    // Not with `push(...)`, nor `Math.min(...)` below: a call takes a limited number of arguments.
    for (const word of found?.map((each) => toRecognizedWord(each, originals)) ?? originals)
      merged.push(word);
    first += count;
  }
  return {
    words: merged,
    timesEstimated: timesEstimated === true && segments.some(({ found }) => found === null),
  };
}

/** A term that the aligner inserted has no confidence. */
function toRecognizedWord(
  { text, start, end, segmentWordIndex: index }: AlignedWord,
  originals: readonly RecognizedWord[],
): RecognizedWord {
  const original = index === null ? undefined : originals[index];
  if (!original) return { text, start, end, confidence: null, language: originals[0]?.language ?? null };
  const { estimatedWithin: _, ...kept } = original;
  return { ...kept, text, start, end };
}

/** A pause this long separates two segments. */
const MIN_PAUSE_SECONDS = 0.2;
/** Audio around the words, because estimated times may be slightly off. */
const PADDING_SECONDS = 0.25;

/** Where the word certainly is. */
function placeOf({ start, end, estimatedWithin }: RecognizedWord): TimeSpan {
  return estimatedWithin ?? { start, end };
}

/** Words in the same estimated span have no known pause between them. */
function pauseBetween(before: RecognizedWord, after: RecognizedWord): number {
  return placeOf(after).start - placeOf(before).end;
}

/** Where words that may be in the same place have different languages, they are parted where they are estimated to be. */
function findSpan(
  run: readonly RecognizedWord[],
  before: RecognizedWord | undefined,
  after: RecognizedWord | undefined,
): TimeSpan {
  const places = run.map(placeOf);
  const start = places.reduce((least, place) => Math.min(least, place.start), Infinity);
  const end = places.reduce((most, place) => Math.max(most, place.end), -Infinity);
  const [first, last] = [run[0], run.at(-1)];
  return {
    start: before && first && placeOf(before).end > start ? first.start : start,
    end: after && last && placeOf(after).start < end ? last.end : end,
  };
}

/** Splits the words of a chunk at pauses. Segments are padded, but do not overlap. @param duration of the chunk, seconds */
export function groupWordsIntoAlignmentSegments(
  words: readonly RecognizedWord[],
  duration: number,
): (AlignmentSegment & Pick<RecognizedWord, 'language'>)[] {
  const runs: RecognizedWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isContinued =
      before && before.language === word.language && pauseBetween(before, word) < MIN_PAUSE_SECONDS;
    if (run && isContinued) run.push(word);
    else runs.push([word]);
  }
  const segments = runs.map((run, index) => ({
    ...findSpan(run, runs[index - 1]?.at(-1), runs[index + 1]?.[0]),
    words: run.map(({ text }) => text),
    language: run[0]?.language ?? null,
  }));
  return padSpans(segments, PADDING_SECONDS, duration);
}
