import type {
  ChunkFile,
  ChunkTranscription,
  RecognitionOptions,
  RecognizedWord,
  SpeechEngine,
} from '../engine/engine.js';
import { EngineWrapper } from '../engine/engine-wrapper.js';
import { findDiskFullCode } from '../tool/scratch-directory.js';
import { VocabularyCorrector } from './vocabulary-corrector.js';

/**
 * Marks of direction, soft hyphens and spaces without width come with copied text. In a transcript, a search for the term would
 * not find it. Joiners are kept: scripts such as Arabic need them.
 */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Corrects the words of any engine by the vocabulary. */
export class VocabularyCorrectionEngineWrapper extends EngineWrapper {
  constructor(
    engine: SpeechEngine,
    /** The words stay as they are when the correction fails. */
    private readonly onCorrectionError: (error: unknown) => void,
    private readonly corrector: Pick<VocabularyCorrector, 'correct'> = new VocabularyCorrector(),
  ) {
    super(engine, { ...engine.capabilities, vocabulary: true });
  }

  override warmUp(terms: readonly string[]): void {
    super.warmUp(terms.map(removeInvisibleCharacters));
  }

  async transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    const { signal } = options;
    const terms = options.vocabulary.map(removeInvisibleCharacters);
    const result = await this.engine.transcribe(audio, { ...options, vocabulary: terms });
    const corrected =
      terms.length > 0 && result.words.length > 0 ? await this.correct(result, terms, signal) : result;
    return { ...corrected, words: corrected.words.map(withoutConfidenceSource) };
  }

  private async correct(
    result: ChunkTranscription,
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    const usedByEngine = this.engine.capabilities.vocabulary;
    const unusedByEngine = usedByEngine ? (result.unusedTerms ?? 0) : terms.length;
    try {
      const corrected = await this.corrector.correct(result, terms, signal);
      return { ...corrected, unusedTerms: Math.min(unusedByEngine, corrected.unusedTerms ?? 0) };
    } catch (error) {
      // The words are valid without it. A full disk, however, is temporary: the chunk is retried.
      signal.throwIfAborted();
      if (findDiskFullCode(error) !== null) throw error;
      this.onCorrectionError(error);
      return { ...result, unusedTerms: unusedByEngine };
    }
  }
}

/** A term without any other character stays, to be counted as unused. */
function removeInvisibleCharacters(term: string): string {
  return term.replaceAll(INVISIBLE, '') || term;
}

/** Nobody after this step asks for it. */
function withoutConfidenceSource(word: RecognizedWord): RecognizedWord {
  const copy = { ...word };
  delete copy.confidenceOf;
  return copy;
}
