import { availableParallelism } from 'node:os';
import { findUtterances, type Utterance } from '../../vad/utterances.js';
import { isVoiced } from '../../vad/is-voiced.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import {
  type ChunkAudio,
  EngineFailedError,
  type EngineIdentity,
  type EngineOptions,
  type EngineResult,
  EngineUnavailableError,
  readChunk,
  type SpeechEngine,
  UnreadableChunkError,
} from '../engine.js';
import { parseCtm, utteranceSamples } from './batch-io.js';
import { denoise } from './denoise.js';
import { addDither } from './add-dither.js';
import { normalizePeak } from './normalize-peak.js';
import { type PocketsphinxInstallation, locateInstallation, ENGINE_NAME } from './installation.js';
import { type RecognitionContext, PocketsphinxPool } from './pocketsphinx-pool.js';
import { restoreVocabularyTerms } from './vocabulary/restore-vocabulary-terms.js';
import { VocabularyCache } from './vocabulary/vocabulary-cache.js';
import { dereverberate } from './dereverberate.js';

export interface PocketsphinxOptions {
  /** Folder of the model (`en-us`, `en-us.lm.bin`, `cmudict-en-us.dict`); the usual places when left out. */
  modelFolder?: string;
  /** Programs that recognise at the same time; as many as there are cores when left out. */
  maxProcesses?: number;
  /** Seconds for which a program without work stays loaded; 30 when left out. */
  idleSeconds?: number;
}

const LANGUAGE = 'en';
const DEFAULT_IDLE_SECONDS = 30;

interface Chunk {
  samples: Int16Array;
  utterances: readonly Utterance[];
}

/**
 * Offline English recognition by the pocketsphinx program of the system. A few processes are kept with the model loaded
 * and hear the utterances of all chunks, each by itself: what one of them heard before changes nothing.
 */
export class PocketsphinxEngine implements SpeechEngine {
  readonly capabilities = { languages: [LANGUAGE], wordTimes: true, punctuation: false, vocabulary: true };
  private readonly closing = new AbortController();
  private readonly vocabularies = new VocabularyCache(this.closing.signal);
  private readonly pool: PocketsphinxPool;
  private installation: PocketsphinxInstallation | undefined;
  /** Chunks. */
  private activeChunks = 0;

  constructor(private readonly options: PocketsphinxOptions = {}) {
    const {
      maxProcesses: processes = availableParallelism(),
      idleSeconds: keepSeconds = DEFAULT_IDLE_SECONDS,
    } = options;
    this.pool = new PocketsphinxPool({
      maxProcesses: processes,
      idleSeconds: keepSeconds,
      signal: this.closing.signal,
    });
  }

  /** The programs do not tell their version. */
  async identity(): Promise<EngineIdentity> {
    return { name: ENGINE_NAME, model: 'en-us', version: null };
  }

  async check(): Promise<void> {
    await this.locate(this.closing.signal);
  }

  /** Looks the terms up, and loads programs unless others are heard, whose programs would be taken from them. */
  prepareFor(terms: readonly string[]): void {
    this.prepareContext(terms, this.closing.signal)
      .then((how) => (this.activeChunks === 0 ? this.pool.preload(how) : undefined))
      .catch(() => undefined);
  }

  /** Throws `UnreadableChunkError`, `EngineUnavailableError`, `EngineFailedError` or the reason of the abort. */
  async transcribe(audio: ChunkAudio, options: EngineOptions): Promise<EngineResult> {
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    signal.throwIfAborted();
    this.activeChunks += 1;
    try {
      const samples = await readChunk(audio.path, signal);
      const found = findUtterances(samples, samples.length / SAMPLE_RATE);
      const utterances = found.filter((utterance) => isVoiced(samples, utterance));
      if (utterances.length === 0) return { words: [], language: null };
      const clearer = dereverberate(await denoise(audio.path, samples, signal));
      return await this.transcribeChunk({ samples: clearer, utterances }, options.vocabulary, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadableChunkError || error instanceof EngineUnavailableError) throw error;
      throw new EngineFailedError(ENGINE_NAME, { cause: error });
    } finally {
      this.activeChunks -= 1;
    }
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.closing.abort(new EngineUnavailableError(ENGINE_NAME, 'it was closed.'));
    await this.pool.closed();
  }

  private async transcribeChunk(
    chunk: Chunk,
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<EngineResult> {
    const { installation, vocabulary } = await this.prepareContext(terms, signal);
    const ctm = await this.recognizeUtterances(chunk, { installation, vocabulary, signal });
    const heard = parseCtm(ctm, chunk.utterances, chunk.samples.length / SAMPLE_RATE);
    const words = restoreVocabularyTerms(heard, vocabulary);
    return { words, language: words.length > 0 ? LANGUAGE : null, unusedTerms: vocabulary.unusedTerms };
  }

  private async prepareContext(
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<Omit<RecognitionContext, 'signal'>> {
    const installation = await this.locate(signal);
    return { installation, vocabulary: await this.vocabularies.get(terms, installation.model) };
  }

  /** The longest first, so that those still running at the end are short. */
  private async recognizeUtterances(
    { samples, utterances }: Chunk,
    how: RecognitionContext,
  ): Promise<string> {
    const parts = utterances
      .map((utterance, number) => ({
        samples: addDither(normalizePeak(utteranceSamples(utterance, samples))),
        number,
      }))
      .toSorted((a, b) => b.samples.length - a.samples.length);
    return (await this.pool.recognize(parts, how)).join('\n');
  }

  /** Looked up until it is found, so that an installation that comes later is seen. */
  private async locate(signal: AbortSignal): Promise<PocketsphinxInstallation> {
    this.installation ??= await locateInstallation(signal, this.options.modelFolder);
    return this.installation;
  }
}
