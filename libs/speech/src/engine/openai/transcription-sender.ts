import type { FormData } from 'undici';
import { encodeWav } from '../../wav/wav.js';
import { encodeWavFileAsFlac } from './encode-wav-file-as-flac.js';
import type { OpenAiClient, OpenAiOptions, OpenAiResponse } from './openai-client.js';
import { createEngineUnavailableError, toEngineError } from './response-errors.js';
import { throwIfTransient, withRetries } from './retry.js';
import {
  buildTranscriptionForm,
  GranularityNegotiator,
  type ResponseGranularity,
  TRANSCRIPTION_PATH,
} from './transcription-request.js';
import { parseTranscriptionResponse, type TranscriptionResponse } from './transcription-response.js';
import { type UploadFormat, UploadFormatNegotiator } from './upload-format.js';

/** Responses to an unsupported form parameter or file. */
const INVALID_FORM_STATUSES = [400, 415, 422];

export interface ChunkAudioAndPrompt {
  path: string;
  samples: Int16Array;
  /** Vocabulary; may be empty. */
  prompt: string;
}

interface RequestVariant {
  granularity: ResponseGranularity;
  format: UploadFormat;
}

type EncodedAudio = Partial<Record<UploadFormat, Buffer>>;

/** Sends a chunk in the form that the server accepts: servers support different parameters and files. */
export class TranscriptionSender {
  private readonly granularities: GranularityNegotiator;
  private readonly formats: UploadFormatNegotiator;

  constructor(
    private readonly client: OpenAiClient,
    private readonly options: OpenAiOptions,
  ) {
    this.granularities = new GranularityNegotiator((detail) => options.onGranularityReduced?.(detail));
    this.formats = new UploadFormatNegotiator(options.audioFormat, options.baseUrl, () =>
      options.onFlacRejected?.(),
    );
  }

  /** @throws OpenAiRequestError after the last attempt, and like `toEngineError`; the reason of the signal */
  async send(upload: ChunkAudioAndPrompt, signal: AbortSignal): Promise<TranscriptionResponse> {
    const audio: EncodedAudio = this.formats.wantsFlac ? { flac: await this.encodeFlac(upload, signal) } : {};
    return withRetries(this.options, signal, (isLastAttempt) =>
      this.attempt(upload, audio, isLastAttempt, signal),
    );
  }

  private async attempt(
    upload: ChunkAudioAndPrompt,
    audio: EncodedAudio,
    isLastAttempt: boolean,
    signal: AbortSignal,
  ): Promise<TranscriptionResponse> {
    let failure: OpenAiResponse | undefined;
    let flacRejected = false;
    for (const variant of this.listVariants(audio)) {
      const response = await this.client.send(
        TRANSCRIPTION_PATH,
        this.buildForm(upload, audio, variant),
        signal,
      );
      if (response.status >= 200 && response.status < 300) {
        const transcription = parseTranscriptionResponse(response);
        this.granularities.recordAccepted(variant.granularity);
        this.formats.recordAccepted(variant.format, flacRejected);
        return transcription;
      }
      // A server error counts more than the rejections after it: the chunk may be fine.
      if (failure?.status !== 500) failure = response;
      flacRejected ||= variant.format === 'flac';
      if (!this.mayAcceptOtherVariant(response, variant, isLastAttempt)) break;
    }
    if (!failure) throw createEngineUnavailableError('no form of the request to try.');
    throwIfTransient(failure);
    throw toEngineError(failure, this.options);
  }

  /** Until the server has accepted FLAC, each rejection may concern the file as well as the granularity. */
  private listVariants(audio: EncodedAudio): RequestVariant[] {
    const granularities = this.granularities.granularitiesToTry();
    const list = (...formats: UploadFormat[]): RequestVariant[] =>
      granularities.flatMap((granularity) => formats.map((format) => ({ granularity, format })));
    if (!audio.flac) return list('wav');
    return this.formats.flacConfirmed ? [...list('flac'), ...list('wav')] : list('flac', 'wav');
  }

  /** Some servers answer 500 to a file or a response format that they do not support. */
  private mayAcceptOtherVariant(
    { status, retryForbidden }: OpenAiResponse,
    { format }: RequestVariant,
    isLastAttempt: boolean,
  ): boolean {
    if (retryForbidden) return false;
    if (status === 500) return isLastAttempt || (format === 'flac' && !this.formats.flacConfirmed);
    return INVALID_FORM_STATUSES.includes(status) && (status !== 415 || format === 'flac');
  }

  private buildForm(
    { samples, prompt }: ChunkAudioAndPrompt,
    audio: EncodedAudio,
    variant: RequestVariant,
  ): FormData {
    const { model, vocabularyFields, formFields } = this.options;
    const bytes = audio[variant.format] ?? encodeWav(samples);
    audio[variant.format] = bytes;
    return buildTranscriptionForm({
      model,
      audio: { bytes, format: variant.format },
      granularity: variant.granularity,
      vocabulary: { text: prompt, fields: vocabularyFields },
      formFields,
    });
  }

  /** Undefined if this machine cannot encode it. */
  private async encodeFlac(
    { path, samples }: ChunkAudioAndPrompt,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    try {
      return await encodeWavFileAsFlac(path, samples.length, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.options.onFlacFailed?.(error);
      return undefined;
    }
  }
}
