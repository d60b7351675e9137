import { createHash, type Hash } from 'node:crypto';
import type { Caller } from '@app/auth';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { parseContentLength } from '../request-body/parse-content-length.js';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { fingerprintRequest } from '../idempotency/fingerprint-request.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import type { IdempotencyKeyClaim } from '../idempotency/idempotency-key.repository.js';
import { ReplayableResponse } from '../idempotency/replayable-response.js';
import type { ScopedIdempotencyKey } from '../idempotency/scoped-idempotency-key.js';
import type { JobOptionsDto } from '../jobs/job-options.dto.js';
import { JobRequestValidator, type ValidatedJobRequest } from '../jobs/job-request-validator.js';
import type { RequestWithUnreadBody } from '../request-body/register-unread-body-passthrough.js';
import { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import { readAudioBody, parseAudioContentType, assertContentLengthInRange } from './audio-body.js';
import { assertIdentityContentEncoding } from '../request-body/assert-identity-content-encoding.js';
import { StreamedAudioJobService } from './streamed-audio-job.service.js';
import { parseJobOptionStrings } from './parse-job-option-strings.js';

export interface RawTranscribeRequest extends RequestWithUnreadBody {
  query: Readonly<Record<string, unknown>>;
}

interface ValidatedRequest extends RawTranscribeRequest {
  contentType: string;
  options: JobOptionsDto;
}

/** Receives the audio of `POST /transcribe` and creates its job. */
@Injectable()
export class TranscribeJobCreationService {
  constructor(
    private readonly jobs: StreamedAudioJobService,
    private readonly validator: JobRequestValidator,
    private readonly idempotency: IdempotencyService,
    private readonly admission: RequestConcurrencyLimiters,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /**
   * Validates the request before it reads the body, stores the body, then creates and queues the job.
   * A repeated request is read to its end for its fingerprint; nothing of it is stored.
   * @returns the id of the job; of the first request's job for a repeated request
   * @throws ServiceError 402, 409, 413, 422, 503; the stored audio is deleted then, as when the client disconnects
   */
  async createJobFromBody(
    caller: Caller,
    request: RawTranscribeRequest,
    idempotentRequest: ScopedIdempotencyKey | null = null,
  ): Promise<string> {
    const contentType = parseAudioContentType(request.headers);
    assertIdentityContentEncoding(request.headers);
    const options = parseJobOptionStrings(request.query);
    return this.admission.bodies.run(caller.accountId, async () => {
      const validated = { ...request, contentType, options };
      if (idempotentRequest === null) return this.createJob(caller, validated, null);
      const key = await this.idempotency.findResponseOrClaim(idempotentRequest);
      if (key instanceof ReplayableResponse) return this.replayJob(key, validated);
      return this.idempotency.executeClaimed(key, () => this.createJob(caller, validated, key));
    });
  }

  /** @param key under which the response is stored; null without one */
  private async createJob(
    caller: Caller,
    validated: ValidatedRequest,
    key: IdempotencyKeyClaim | null,
  ): Promise<string> {
    const requested = await this.validator.toValidatedRequest(caller.accountId, validated.options, null);
    return this.jobs.runWithinCreditAndQuotas(caller, requested, () =>
      this.receiveAudioAndCreateJob(caller, validated, requested, key),
    );
  }

  private async receiveAudioAndCreateJob(
    caller: Caller,
    { headers, body, contentType, options }: ValidatedRequest,
    requested: ValidatedJobRequest,
    key: IdempotencyKeyClaim | null,
  ): Promise<string> {
    assertContentLengthInRange(headers, this.options.audioBodyBytes);
    const id = uuidv7();
    const audio = this.readAudio(body);
    const length = parseContentLength(headers);
    if (key === null) {
      const stored = await this.jobs.storeAudio(id, audio, contentType, length);
      await this.jobs.createQueuedJob(id, caller, requested, stored);
      return id;
    }
    const hash = createHash('sha256');
    const stored = await this.jobs.storeAudio(id, hashBytes(audio, hash), contentType, length);
    // Before the transaction, which may be repeated: a hash has one digest.
    const fingerprint = fingerprintAudioRequest(options, hash);
    await this.jobs.createQueuedJob(id, caller, requested, stored, (tx) =>
      this.idempotency.saveResponse(tx, key, fingerprint, { job_id: id }),
    );
    return id;
  }

  private async replayJob(
    storedResponse: ReplayableResponse,
    { headers, body, options }: ValidatedRequest,
  ): Promise<string> {
    assertContentLengthInRange(headers, this.options.audioBodyBytes);
    const hash = createHash('sha256');
    for await (const chunk of this.readAudio(body)) hash.update(chunk);
    return storedResponse.replay<{ job_id: string }>(fingerprintAudioRequest(options, hash)).job_id;
  }

  private readAudio(body: unknown): AsyncGenerator<Uint8Array> {
    return readAudioBody(body, { maxBytes: this.options.audioBodyBytes, ...this.options.minTransferRate });
  }
}

async function* hashBytes(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Covers the options and the audio, not the declared content type. */
function fingerprintAudioRequest(options: JobOptionsDto, audio: Hash): string {
  return fingerprintRequest({ options, audio: audio.digest('hex') });
}
