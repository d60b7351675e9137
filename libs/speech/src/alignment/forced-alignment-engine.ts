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
 * An engine whose words are looked for in the sound once more, where that gains something: it tells no times, or terms
 * were given that it cannot listen for. In languages that the aligner does not know, all stays as the engine said it.
 */
export class ForcedAlignmentEngine implements SpeechEngine {
  readonly capabilities: EngineCapabilities;

  constructor(
    private readonly engine: SpeechEngine,
    private readonly aligner: WordAligner,
    /** Told what went wrong where words keep the times that the engine estimated. */
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
    const hearsTerms = this.engine.capabilities.vocabulary;
    const heard = await this.engine.transcribe(audio, hearsTerms ? options : { ...options, vocabulary: [] });
    return this.align(audio, hearsTerms ? { ...options, vocabulary: [] } : options, heard);
  }

  async close(): Promise<void> {
    this.aligner.close();
    await this.engine.close();
  }

  /** `options` are what is left for the aligner to do. */
  private async align(audio: ChunkAudio, options: EngineOptions, heard: EngineResult): Promise<EngineResult> {
    const { vocabulary: terms, signal } = options;
    const gains = heard.timesEstimated === true || terms.length > 0;
    if (!gains || heard.words.length === 0) return heard;
    const unused = terms.length > 0 ? { unusedTerms: terms.length } : {};
    if (!this.aligner.languages.includes(heard.language ?? '')) return { ...heard, ...unused };
    const samples = await readChunk(audio.path, signal);
    const stretches = groupWordsByPause(heard.words, samples.length / SAMPLE_RATE);
    const aligned = await this.aligner
      .align({ samples, segments: stretches, terms, signal })
      .catch((error: unknown) => {
        // What was recognised is worth more than its times; room, though, there will be again.
        signal.throwIfAborted();
        if (diskFullCode(error) !== null) throw error;
        this.onAlignmentError(error);
        return null;
      });
    return aligned ? { ...heard, ...applyAlignment(heard, aligned) } : { ...heard, ...unused };
  }
}

/** The words with the times that were found; those of a stretch that was not found stay as they were. */
function applyAlignment(
  { words, timesEstimated }: EngineResult,
  { segments: stretches, unusedTerms }: AlignmentResult,
): Partial<EngineResult> {
  let first = 0;
  const written: RecognizedWord[] = [];
  for (const { found, count } of stretches) {
    const said = words.slice(first, first + count);
    written.push(...(found ? found.map((word) => toRecognizedWord(word, said)) : said));
    first += count;
  }
  return {
    words: written,
    timesEstimated: timesEstimated === true && stretches.some(({ found }) => found === null),
    unusedTerms,
  };
}

/** Nothing is known of how sure a term is that nobody recognised. */
function toRecognizedWord(
  { text, start, end, segmentWordIndex: index }: AlignedWord,
  said: readonly RecognizedWord[],
): RecognizedWord {
  const original = index === null ? undefined : said[index];
  const { confidence = null, language = said[0]?.language ?? null } = original ?? {};
  return { text, start, end, confidence, language };
}
