import { Turns } from '../../tool/turns.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';
import { encodeWav } from '../../wav/wav.js';
import type {
  ChunkAudio,
  EngineAbilities,
  EngineIdentity,
  EngineOptions,
  EngineResult,
  SpeechEngine,
} from '../engine.js';
import { ChunkUnreadable, EngineFailed, EngineUnavailable } from '../engine-errors.js';
import { readChunk } from '../read-chunk.js';
import { readTranscription, type Transcription } from './answer.js';
import { checkServer } from './check-server.js';
import { transcriptionForm } from './form.js';
import { heardWords } from './heard-words.js';
import { KnownDetail } from './known-detail.js';
import { languageTag } from '../language-tag.js';
import type { OpenAiOptions } from './openai-options.js';
import { vocabularyPrompt } from './prompt.js';
import { NAME, refusal, unavailable } from './refusal.js';
import { refusePassing, withRetries } from './retry.js';
import { OpenAiServer, type ServerAnswer, ServerTrouble } from './server.js';

/** What a server says to a parameter that it does not know. */
const REFUSED_FORM = [400, 422];
/** -72 dB below full scale. */
const FAINTEST = 8;

/** Recognition by a server that speaks OpenAI's `/v1/audio/transcriptions`, one request a chunk. */
export class OpenAiEngine implements SpeechEngine {
  readonly abilities: EngineAbilities = {
    languages: 'any',
    wordTimes: true,
    punctuation: true,
    vocabulary: true,
  };
  private readonly closing = new AbortController();
  private readonly turns: Turns;
  private readonly server: OpenAiServer;
  private readonly known: KnownDetail;

  constructor(private readonly options: OpenAiOptions) {
    this.turns = new Turns(options.concurrency);
    this.server = new OpenAiServer(options);
    this.known = new KnownDetail((detail) => options.onLessDetail?.(detail));
  }

  async identity(): Promise<EngineIdentity> {
    return { name: NAME, model: this.options.model, version: null };
  }

  async check(): Promise<void> {
    await checkServer(this.server, this.options, this.closing.signal);
  }

  /** Throws `ChunkUnreadable`, `EngineUnavailable`, `EngineFailed` or the reason of the abort. */
  async transcribe({ path }: ChunkAudio, options: EngineOptions): Promise<EngineResult> {
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    signal.throwIfAborted();
    try {
      const samples = await readChunk(path, signal);
      if (!hasSound(samples)) return { words: [], language: null };
      return await this.turns.within(signal, () => this.hear(samples, options.vocabulary, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ChunkUnreadable || error instanceof EngineUnavailable) throw error;
      if (error instanceof ServerTrouble && error.away)
        throw unavailable(`${this.options.baseUrl} gives ${error.message}. See that the server runs.`, error);
      throw new EngineFailed(NAME, { cause: error });
    }
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.closing.abort(unavailable('it was closed.'));
    await this.server.close();
  }

  /** A chunk keeps its place between two tries: a server in trouble gets fewer requests, not more. */
  private async hear(samples: Int16Array, terms: string[], signal: AbortSignal): Promise<EngineResult> {
    const { text: prompt, unusedTerms } = vocabularyPrompt(terms);
    const told = await withRetries(this.options, signal, () => this.ask(encodeWav(samples), prompt, signal));
    const { words, ...doubts } = heardWords(told, samples.length / SAMPLE_RATE);
    return { words, language: words.length > 0 ? languageTag(told.language) : null, unusedTerms, ...doubts };
  }

  /** Asks for less where the server refuses, and remembers what it took. */
  private async ask(audio: Buffer, prompt: string, signal: AbortSignal): Promise<Transcription> {
    let answer: ServerAnswer | undefined;
    for (const detail of this.known.toAsk()) {
      const form = transcriptionForm({ model: this.options.model, audio, detail, prompt });
      answer = await this.server.ask('/audio/transcriptions', form, signal);
      refusePassing(answer);
      if (answer.status >= 200 && answer.status < 300) {
        const told = readTranscription(answer);
        this.known.took(detail);
        return told;
      }
      if (answer.final || !REFUSED_FORM.includes(answer.status)) break;
    }
    throw answer ? refusal(answer, this.options) : unavailable('there is nothing to ask for.');
  }
}

/** Where there is nothing to hear, recognisers of this kind make something up. */
function hasSound(samples: Int16Array): boolean {
  return samples.some((sample) => Math.abs(sample) > FAINTEST);
}
