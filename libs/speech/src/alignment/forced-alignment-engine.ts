import {
  type ChunkAudio,
  type EngineCapabilities,
  type EngineIdentity,
  type EngineOptions,
  type EngineResult,
  readChunk,
  type RecognizedWord,
  type SpeechEngine,
} from '../engine/engine.js';
import { diskFullCode } from '../tool/scratch-directory.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { groupWordsByPause } from './group-words-by-pause.js';
import type { AlignmentResult, AlignedWord, WordAligner } from './word-aligner.js';

/**
 * Improves the result of another engine by forced alignment: exact word times where the engine only estimates them, and
 * vocabulary terms where the engine supports none. Languages that the aligner does not support stay as recognized.
 */
export class ForcedAlignmentEngine implements SpeechEngine {
  readonly capabilities: EngineCapabilities;

  constructor(
    private readonly engine: SpeechEngine,
    private readonly aligner: WordAligner,
    /** Called when alignment failed; the words keep the times of the engine. */
    private readonly onAlignmentError: (error: unknown) => void,
  ) {
    const { languages } = engine.capabilities;
    const shared = languages === 'any' || languages.some((language) => aligner.languages.includes(language));
    this.capabilities = { ...engine.capabilities, vocabulary: engine.capabilities.vocabulary || shared };
  }

  identity(): Promise<EngineIdentity> {
    return this.engine.identity();
  }

  check(): Promise<void> {
    return this.engine.check();
  }

  async transcribe(audio: ChunkAudio, options: EngineOptions): Promise<EngineResult> {
    const supportsVocabulary = this.engine.capabilities.vocabulary;
    const result = await this.engine.transcribe(
      audio,
      supportsVocabulary ? options : { ...options, vocabulary: [] },
    );
    return this.align(audio, supportsVocabulary ? { ...options, vocabulary: [] } : options, result);
  }

  async close(): Promise<void> {
    this.aligner.close();
    await this.engine.close();
  }

  /** @param options with the vocabulary that is left for the aligner */
  private async align(
    audio: ChunkAudio,
    options: EngineOptions,
    result: EngineResult,
  ): Promise<EngineResult> {
    const { vocabulary: terms, signal } = options;
    const needsAlignment = result.timesEstimated === true || terms.length > 0;
    if (!needsAlignment || result.words.length === 0) return result;
    const unused = terms.length > 0 ? { unusedTerms: terms.length } : {};
    if (!this.aligner.languages.includes(result.language ?? '')) return { ...result, ...unused };
    const samples = await readChunk(audio.path, signal);
    const segments = groupWordsByPause(result.words, samples.length / SAMPLE_RATE);
    const aligned = await this.aligner.align({ samples, segments, terms, signal }).catch((error: unknown) => {
      // The words are valid without exact times. A full disk, however, is temporary: the chunk is retried.
      signal.throwIfAborted();
      if (diskFullCode(error) !== null) throw error;
      this.onAlignmentError(error);
      return null;
    });
    return aligned ? { ...result, ...applyAlignment(result, aligned) } : { ...result, ...unused };
  }
}

/** Segments that were not aligned keep their words. */
function applyAlignment(
  { words, timesEstimated }: EngineResult,
  { segments, unusedTerms }: AlignmentResult,
): Partial<EngineResult> {
  let first = 0;
  const merged: RecognizedWord[] = [];
  for (const { found, count } of segments) {
    const originals = words.slice(first, first + count);
    merged.push(...(found ? found.map((word) => toRecognizedWord(word, originals)) : originals));
    first += count;
  }
  return {
    words: merged,
    timesEstimated: timesEstimated === true && segments.some(({ found }) => found === null),
    unusedTerms,
  };
}

/** A term that the aligner inserted has no confidence. */
function toRecognizedWord(
  { text, start, end, segmentWordIndex: index }: AlignedWord,
  originals: readonly RecognizedWord[],
): RecognizedWord {
  const original = index === null ? undefined : originals[index];
  const { confidence = null, language = originals[0]?.language ?? null } = original ?? {};
  return { text, start, end, confidence, language };
}
