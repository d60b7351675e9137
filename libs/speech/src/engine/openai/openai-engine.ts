import { Semaphore, withAnySignal } from '@app/async';
import { describeError } from '@app/errors';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import {
  type ChunkFile,
  type EngineCapabilities,
  EngineFailedError,
  type EngineIdentity,
  type RecognitionOptions,
  type ChunkTranscription,
  EngineUnavailableError,
  readChunkSamples,
  type SpeechEngine,
  type TimeSpan,
  UnreadableChunkError,
} from '../engine.js';
import { assertOpenAiServerUsable } from './assert-openai-server-usable.js';
import { buildVocabularyPrompt } from './transcription-request.js';
import { TranscriptionSender } from './transcription-sender.js';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import { toLanguageTag } from '../language-tag.js';
import { OpenAiClient, type OpenAiOptions, OpenAiRequestError } from './openai-client.js';
import { isAudible } from '../../vad/is-audible.js';
import { ENGINE_NAME, createEngineUnavailableError } from './response-errors.js';
import { isCausedByServerOutage, isServerAnswering } from './server-outage.js';

/** Whisper pads its input to 30 s. */
const PACKED_SECONDS = 28;
/** A server that answered so lately was in service when it got a chunk. */
const IN_SERVICE_MS = 10_000;

/** Speaks OpenAI's `/v1/audio/transcriptions`, one request per chunk. */
export class OpenAiEngine implements SpeechEngine {
  readonly capabilities: EngineCapabilities = {
    languages: 'any',
    wordTimes: true,
    punctuation: true,
    vocabulary: true,
  };
  private readonly closing = new AbortController();
  private readonly semaphore: Semaphore;
  private readonly client: OpenAiClient;
  private readonly sender: TranscriptionSender;
  /** Those of the last response with words. */
  private hasTimes = true;
  /** By `performance.now()`. */
  private lastOutageAt = -Infinity;
  /** Some servers answer nothing but transcriptions. */
  private answersModels = false;

  constructor(private readonly options: OpenAiOptions) {
    this.semaphore = new Semaphore(options.concurrency);
    this.client = new OpenAiClient(options);
    this.sender = new TranscriptionSender(this.client, options);
  }

  /** Of a server without times, words of one piece would be placed in the next one, minutes away. */
  get packedSeconds(): number | undefined {
    return this.hasTimes ? PACKED_SECONDS : undefined;
  }

  async identity(): Promise<EngineIdentity> {
    return { name: ENGINE_NAME, model: this.options.model, version: null };
  }

  async check(): Promise<void> {
    await assertOpenAiServerUsable(this.client, this.options, this.closing.signal);
    this.answersModels = this.client.lastAnsweredAt > -Infinity;
  }

  /** @throws UnreadableChunkError, EngineUnavailableError, EngineFailedError; the reason of the abort */
  transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    return withAnySignal([options.signal, this.closing.signal], (signal) =>
      this.transcribeUntilAborted(audio, options.vocabulary, signal),
    );
  }

  private async transcribeUntilAborted(
    { path, speech }: ChunkFile,
    terms: string[],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    signal.throwIfAborted();
    try {
      const samples = await readChunkSamples(path, signal);
      if (!isAudible(samples)) return { words: [], language: null };
      return await this.semaphore.run(signal, () =>
        this.transcribeSamples(path, samples, speech?.spans ?? [], terms, signal),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadableChunkError || error instanceof EngineUnavailableError) throw error;
      throw new EngineFailedError(ENGINE_NAME, { cause: error, detail: describeError(error) });
    }
  }

  async close(): Promise<void> {
    this.closing.abort(createEngineUnavailableError('it was closed.'));
    await this.client.close();
  }

  /** A chunk keeps its permit between attempts, so that a server in trouble gets fewer requests. */
  private async transcribeSamples(
    path: string,
    samples: Int16Array,
    speech: readonly TimeSpan[],
    terms: string[],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    const { text: prompt, unusedTerms } = buildVocabularyPrompt(terms);
    const wasInService = await this.isKnownToBeInService(signal);
    const response = await this.sender
      .send({ path, samples, prompt }, signal)
      .catch((error: unknown) => this.rethrowAsOutage(error, wasInService, signal));
    const { words, hasTimes, ...rest } = convertTranscriptionDroppingHallucinations(
      response,
      samples.length / SAMPLE_RATE,
      speech,
    );
    this.hasTimes = hasTimes ?? this.hasTimes;
    const language = words.length > 0 ? toLanguageTag(response.language) : null;
    return { words, language, unusedTerms, ...rest };
  }

  /**
   * After an outage the server is asked before it gets a chunk: one that goes down over each of them is in service for moments only.
   * @throws EngineUnavailableError while it does not answer; the reason of the signal
   */
  private async isKnownToBeInService(signal: AbortSignal): Promise<boolean> {
    const { client, options } = this;
    if (this.lastOutageAt <= client.lastAnsweredAt)
      return performance.now() - client.lastAnsweredAt < IN_SERVICE_MS;
    const isAnswering = await isServerAnswering(client, options, signal);
    if (!isAnswering && this.answersModels)
      throw createEngineUnavailableError(`${options.baseUrl} does not answer. Check that the server runs.`);
    this.answersModels ||= isAnswering;
    return isAnswering;
  }

  private async rethrowAsOutage(error: unknown, wasInService: boolean, signal: AbortSignal): Promise<never> {
    signal.throwIfAborted();
    if (!(error instanceof OpenAiRequestError)) throw error;
    if (!(await isCausedByServerOutage(error, this.client, this.options, signal))) throw error;
    this.lastOutageAt = performance.now();
    throw createEngineUnavailableError(
      `${this.options.baseUrl}: ${error.message}. Check that the server runs.`,
      error,
      wasInService && error.firstOutage !== 'certain',
    );
  }
}
