import { withAnySignal } from '@app/async';
import { availableParallelism } from 'node:os';
import { detectPaddedUtterances, type Utterance } from '../../vad/utterances.js';
import { isUtteranceVoiced } from '../../vad/is-utterance-voiced.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import {
  type ChunkFile,
  EngineFailedError,
  type EngineIdentity,
  type RecognitionOptions,
  type ChunkTranscription,
  EngineUnavailableError,
  readChunkSamples,
  type SpeechEngine,
  UnreadableChunkError,
} from '../engine.js';
import { parseCtm, sliceUtteranceSamples } from './batch-io.js';
import { denoise } from './denoise.js';
import { addDither, amplifyQuietAudio } from './amplify-and-dither.js';
import {
  type PocketsphinxModelAndSupportedFlags,
  locatePocketsphinxModelAndSupportedFlags,
  ENGINE_NAME,
} from './installation.js';
import { type PocketsphinxRecognitionOptions, PocketsphinxPool } from './pocketsphinx-pool.js';
import { restoreVocabularyTerms } from './vocabulary/restore-vocabulary-terms.js';
import { VocabularyCache } from './vocabulary/vocabulary-cache.js';
import { dereverberate } from './dereverberate.js';

export interface PocketsphinxOptions {
  /** Contains `en-us`, `en-us.lm.bin` and `cmudict-en-us.dict`; by default the usual install locations. */
  modelFolder?: string;
  /** Maximum number of concurrent processes; the number of cores by default. */
  maxProcesses?: number;
  /** Seconds until an idle process ends; 30 by default. */
  idleSeconds?: number;
}

const LANGUAGE = 'en';
const DEFAULT_IDLE_SECONDS = 30;

interface Chunk {
  samples: Int16Array;
  utterances: readonly Utterance[];
}

/** Utterances are independent of each other. */
export class PocketsphinxEngine implements SpeechEngine {
  readonly capabilities = { languages: [LANGUAGE], wordTimes: true, punctuation: false, vocabulary: true };
  private readonly closing = new AbortController();
  private readonly vocabularies = new VocabularyCache(this.closing.signal);
  private readonly pool: PocketsphinxPool;
  private installation: PocketsphinxModelAndSupportedFlags | undefined;
  private activeChunks = 0;

  constructor(private readonly options: PocketsphinxOptions = {}) {
    const { maxProcesses = availableParallelism(), idleSeconds = DEFAULT_IDLE_SECONDS } = options;
    this.pool = new PocketsphinxPool({ maxProcesses, idleSeconds, signal: this.closing.signal });
  }

  /** pocketsphinx does not report its version. */
  async identity(): Promise<EngineIdentity> {
    return { name: ENGINE_NAME, model: 'en-us', version: null };
  }

  async check(): Promise<void> {
    await this.locate(this.closing.signal);
  }

  /** Preloads processes unless other chunks need theirs. */
  warmUp(terms: readonly string[]): void {
    this.prepareContext(terms, this.closing.signal)
      .then((context) => (this.activeChunks === 0 ? this.pool.preload(context) : undefined))
      .catch(() => undefined);
  }

  /** @throws UnreadableChunkError, EngineUnavailableError, EngineFailedError; the reason of the abort */
  transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    return withAnySignal([options.signal, this.closing.signal], (signal) =>
      this.transcribeUntilAborted(audio, options.vocabulary, signal),
    );
  }

  private async transcribeUntilAborted(
    audio: ChunkFile,
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    signal.throwIfAborted();
    this.activeChunks += 1;
    try {
      const samples = await readChunkSamples(audio.path, signal);
      const candidates = detectPaddedUtterances(samples, samples.length / SAMPLE_RATE);
      const utterances = candidates.filter((utterance) => isUtteranceVoiced(samples, utterance));
      if (utterances.length === 0) return { words: [], language: null };
      const enhanced = dereverberate(await denoise(audio.path, samples, signal));
      return await this.transcribeChunk({ samples: enhanced, utterances }, terms, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadableChunkError || error instanceof EngineUnavailableError) throw error;
      throw new EngineFailedError(ENGINE_NAME, { cause: error });
    } finally {
      this.activeChunks -= 1;
    }
  }

  async close(): Promise<void> {
    this.closing.abort(new EngineUnavailableError(ENGINE_NAME, 'it was closed.'));
    await this.pool.closed();
  }

  private async transcribeChunk(
    chunk: Chunk,
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    const { installation, vocabulary } = await this.prepareContext(terms, signal);
    const ctm = await this.recognizeUtterances(chunk, { installation, vocabulary, signal });
    const recognized = parseCtm(ctm, chunk.utterances, chunk.samples.length / SAMPLE_RATE);
    const words = restoreVocabularyTerms(recognized, vocabulary);
    return { words, language: words.length > 0 ? LANGUAGE : null, unusedTerms: vocabulary.unusedTerms };
  }

  private async prepareContext(
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<Omit<PocketsphinxRecognitionOptions, 'signal'>> {
    const installation = await this.locate(signal);
    return { installation, vocabulary: await this.vocabularies.get(terms, installation.model) };
  }

  /** The longest utterance first, for an even load at the end. */
  private async recognizeUtterances(
    { samples, utterances }: Chunk,
    context: PocketsphinxRecognitionOptions,
  ): Promise<string> {
    const parts = utterances
      .map((utterance, number) => ({
        samples: addDither(amplifyQuietAudio(sliceUtteranceSamples(utterance, samples))),
        number,
      }))
      .toSorted((a, b) => b.samples.length - a.samples.length);
    return (await this.pool.recognize(parts, context)).join('\n');
  }

  /** Repeats failed lookups, so that a later installation is found. */
  private async locate(signal: AbortSignal): Promise<PocketsphinxModelAndSupportedFlags> {
    this.installation ??= await locatePocketsphinxModelAndSupportedFlags(signal, this.options.modelFolder);
    return this.installation;
  }
}
