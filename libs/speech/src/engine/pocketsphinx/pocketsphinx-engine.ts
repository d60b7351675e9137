import { availableParallelism } from 'node:os';
import { findUtterances, type Utterance } from '../../vad/utterances.js';
import { isVoiced } from '../../vad/voiced.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';
import type { ChunkAudio, EngineIdentity, EngineOptions, EngineResult, SpeechEngine } from '../engine.js';
import { ChunkUnreadable, EngineFailed, EngineUnavailable } from '../engine-errors.js';
import { readChunk } from '../read-chunk.js';
import { soundOf } from './control-file.js';
import { parseCtm } from './ctm.js';
import { denoised } from './denoised.js';
import { dithered } from './dither.js';
import { type Installation, locateEnglish, NAME } from './installation.js';
import { raised } from './raised.js';
import { type Hearing, Recognisers } from './recognisers.js';
import { restoreTerms } from './vocabulary/restore.js';
import { Vocabularies } from './vocabulary/vocabularies.js';
import { withoutEcho } from './without-echo.js';

export interface PocketsphinxOptions {
  /** Folder of the model (`en-us`, `en-us.lm.bin`, `cmudict-en-us.dict`); the usual places when left out. */
  modelFolder?: string;
  /** Programs that recognise at the same time; as many as there are cores when left out. */
  processes?: number;
  /** Seconds for which a program without work stays loaded; 30 when left out. */
  keepSeconds?: number;
}

const LANGUAGE = 'en';
const KEEP_SECONDS = 30;

interface Chunk {
  samples: Int16Array;
  utterances: readonly Utterance[];
}

/**
 * Offline English recognition by the pocketsphinx program of the system. A few processes are kept with the model loaded
 * and hear the utterances of all chunks, each by itself: what one of them heard before changes nothing.
 */
export class PocketsphinxEngine implements SpeechEngine {
  readonly abilities = { languages: [LANGUAGE], wordTimes: true, punctuation: false, vocabulary: true };
  private readonly closing = new AbortController();
  private readonly vocabularies = new Vocabularies(this.closing.signal);
  private readonly recognisers: Recognisers;
  private installation: Installation | undefined;
  /** Chunks. */
  private underWay = 0;

  constructor(private readonly options: PocketsphinxOptions = {}) {
    const { processes = availableParallelism(), keepSeconds = KEEP_SECONDS } = options;
    this.recognisers = new Recognisers({ processes, keepSeconds, signal: this.closing.signal });
  }

  /** The programs do not tell their version. */
  async identity(): Promise<EngineIdentity> {
    return { name: NAME, model: 'en-us', version: null };
  }

  async check(): Promise<void> {
    await this.locate(this.closing.signal);
  }

  /** Looks the terms up, and loads programs unless others are heard, whose programs would be taken from them. */
  prepareFor(terms: readonly string[]): void {
    this.vocabularyOf(terms, this.closing.signal)
      .then((how) => (this.underWay === 0 ? this.recognisers.prepare(how) : undefined))
      .catch(() => undefined);
  }

  /** Throws `ChunkUnreadable`, `EngineUnavailable`, `EngineFailed` or the reason of the abort. */
  async transcribe(audio: ChunkAudio, options: EngineOptions): Promise<EngineResult> {
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    signal.throwIfAborted();
    this.underWay += 1;
    try {
      const samples = await readChunk(audio.path, signal);
      const found = findUtterances(samples, samples.length / SAMPLE_RATE);
      const utterances = found.filter((utterance) => isVoiced(samples, utterance));
      if (utterances.length === 0) return { words: [], language: null };
      const clearer = withoutEcho(await denoised(audio.path, samples, signal));
      return await this.hear({ samples: clearer, utterances }, options.vocabulary, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ChunkUnreadable || error instanceof EngineUnavailable) throw error;
      throw new EngineFailed(NAME, { cause: error });
    } finally {
      this.underWay -= 1;
    }
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.closing.abort(new EngineUnavailable(NAME, 'it was closed.'));
    await this.recognisers.closed();
  }

  private async hear(chunk: Chunk, terms: readonly string[], signal: AbortSignal): Promise<EngineResult> {
    const { installation, vocabulary } = await this.vocabularyOf(terms, signal);
    const ctm = await this.hearUtterances(chunk, { installation, vocabulary, signal });
    const heard = parseCtm(ctm, chunk.utterances, chunk.samples.length / SAMPLE_RATE);
    const words = restoreTerms(heard, vocabulary);
    return { words, language: words.length > 0 ? LANGUAGE : null, unusedTerms: vocabulary.unusedTerms };
  }

  private async vocabularyOf(
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<Omit<Hearing, 'signal'>> {
    const installation = await this.locate(signal);
    return { installation, vocabulary: await this.vocabularies.of(terms, installation.model) };
  }

  /** The longest first, so that those still running at the end are short. */
  private async hearUtterances({ samples, utterances }: Chunk, how: Hearing): Promise<string> {
    const parts = utterances
      .map((utterance, number) => ({ samples: dithered(raised(soundOf(utterance, samples))), number }))
      .toSorted((a, b) => b.samples.length - a.samples.length);
    return (await this.recognisers.hear(parts, how)).join('\n');
  }

  /** Looked up until it is found, so that an installation that comes later is seen. */
  private async locate(signal: AbortSignal): Promise<Installation> {
    this.installation ??= await locateEnglish(signal, this.options.modelFolder);
    return this.installation;
  }
}
