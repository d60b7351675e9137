import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '@app/auth';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { fingerprintRequest } from '../idempotency/fingerprint-request.js';
import { IdempotencyService, type SaveFingerprintedResponse } from '../idempotency/idempotency.service.js';
import type { StoredResponse } from '../idempotency/stored-response.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import type { JobOptionsDto } from '../jobs/job-options.dto.js';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { AdmissionControl } from '../admission/admission-control.js';
import { readAudioBody, parseAudioType, assertDeclaredLength, assertIdentityEncoding } from './audio-body.js';
import { StreamedUploadJobs } from './streamed-upload-jobs.js';
import { parseQueryOptions } from './parse-query-options.js';

export interface TranscribeRequest {
  query: Readonly<Record<string, unknown>>;
  /** As they were sent. */
  headers: IncomingHttpHeaders;
  /** The stream of the body. */
  body: unknown;
}

interface ValidatedRequest extends TranscribeRequest {
  contentType: string;
  options: JobOptionsDto;
}

/** Receives the audio of `POST /transcribe` and creates its job. */
@Injectable()
export class TranscribeService {
  constructor(
    private readonly jobs: StreamedUploadJobs,
    private readonly validator: JobRequestValidator,
    private readonly idempotency: IdempotencyService,
    private readonly admission: AdmissionControl,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Validates the request before it reads the body, stores the body, then creates and queues the job.
   * A repeated request is read to its end for its fingerprint; nothing of it is stored.
   * @returns the id of the job; of the first request's job for a repeated request
   * @throws ServiceError 402, 409, 413, 422, 503; the stored audio is deleted then, as when the client disconnects
   */
  async acceptAudio(
    caller: Caller,
    request: TranscribeRequest,
    idempotentRequest: IdempotentRequest | null = null,
  ): Promise<string> {
    const contentType = parseAudioType(request.headers);
    assertIdentityEncoding(request.headers);
    const options = parseQueryOptions(request.query);
    return this.admission.bodies.run(caller.accountId, () =>
      this.idempotency.executeOrReplay(idempotentRequest, {
        execute: (saveResponse) => this.createJob(caller, { ...request, contentType, options }, saveResponse),
        replay: (storedResponse) => this.replayJob(storedResponse, request, options),
      }),
    );
  }

  private async createJob(
    caller: Caller,
    { headers, body, contentType, options }: ValidatedRequest,
    saveResponse: SaveFingerprintedResponse | undefined,
  ): Promise<string> {
    const requested = await this.validator.validate(options, null);
    await this.jobs.assertCredit(caller);
    assertDeclaredLength(headers, this.options.streamBytes);
    const id = uuidv7();
    if (!saveResponse) {
      const stored = await this.jobs.storeAudio(id, this.readAudio(body), contentType);
      await this.jobs.createQueuedJob(id, caller, requested, stored);
      return id;
    }
    const hash = createHash('sha256');
    const stored = await this.jobs.storeAudio(id, hashBytes(this.readAudio(body), hash), contentType);
    const fingerprint = fingerprintAudioRequest(options, hash);
    await this.jobs.createQueuedJob(id, caller, requested, stored, (tx) =>
      saveResponse(tx, fingerprint, { job_id: id }),
    );
    return id;
  }

  private async replayJob(
    storedResponse: StoredResponse,
    { headers, body }: TranscribeRequest,
    wanted: JobOptionsDto,
  ): Promise<string> {
    assertDeclaredLength(headers, this.options.streamBytes);
    const hash = createHash('sha256');
    for await (const chunk of this.readAudio(body)) hash.update(chunk);
    return storedResponse.replay<{ job_id: string }>(fingerprintAudioRequest(wanted, hash)).job_id;
  }

  private readAudio(body: unknown): AsyncGenerator<Uint8Array> {
    return readAudioBody(body, { maxBytes: this.options.streamBytes, ...this.options.minTransferRate });
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
