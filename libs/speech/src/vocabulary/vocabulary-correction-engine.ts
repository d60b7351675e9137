import type {
  ChunkFile,
  ChunkTranscription,
  EngineCapabilities,
  EngineIdentity,
  RecognitionOptions,
  RecognizedWord,
  SpeechEngine,
} from '../engine/engine.js';
import { findDiskFullCode } from '../tool/scratch-directory.js';
import { VocabularyCorrector } from './vocabulary-corrector.js';

/** Corrects the words of any engine by the vocabulary. */
export class VocabularyCorrectionEngine implements SpeechEngine {
  readonly capabilities: EngineCapabilities;

  constructor(
    private readonly engine: SpeechEngine,
    /** The words stay as they are when the correction fails. */
    private readonly onCorrectionError: (error: unknown) => void,
    private readonly corrector: Pick<VocabularyCorrector, 'correct'> = new VocabularyCorrector(),
  ) {
    this.capabilities = { ...engine.capabilities, vocabulary: true };
  }

  get packedSeconds(): number | undefined {
    return this.engine.packedSeconds;
  }

  identity(): Promise<EngineIdentity> {
    return this.engine.identity();
  }

  check(): Promise<void> {
    return this.engine.check();
  }

  warmUp(terms: readonly string[]): void {
    this.engine.warmUp?.(terms);
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  async transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    const { vocabulary: terms, signal } = options;
    const result = await this.engine.transcribe(audio, options);
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

/** Nobody after this step asks for it. */
function withoutConfidenceSource(word: RecognizedWord): RecognizedWord {
  const copy = { ...word };
  delete copy.confidenceOf;
  return copy;
}
