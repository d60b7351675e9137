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

interface JudgedRequest extends TranscribeRequest {
  contentType: string;
  options: JobOptionsDto;
}

/** Takes the audio of a one-shot request and makes its job. */
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
   * Refuses what can be refused before a byte is taken; then takes the whole body; then there is a job, queued.
   * A repeated request is read to its end as well, to tell whether it is the same; nothing is kept of it.
   * @returns the id of the job, of the first request's where this one repeats it
   * @throws ServiceError 402, 409, 413, 422, 503; nothing is left of the body then, nor when its sender leaves
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
        execute: (remember) =>
          this.createJob(caller, { ...request, contentType, options: options }, remember),
        replay: (remembered) => this.replayJob(remembered, request, options),
      }),
    );
  }

  private async createJob(
    caller: Caller,
    { headers, body, contentType, options: wanted }: JudgedRequest,
    remember: SaveFingerprintedResponse | undefined,
  ): Promise<string> {
    const requested = await this.validator.validate(wanted, null);
    await this.jobs.assertCredit(caller);
    assertDeclaredLength(headers, this.options.streamBytes);
    const id = uuidv7();
    if (!remember) {
      const stored = await this.jobs.storeAudio(id, this.bytesOf(body), contentType);
      await this.jobs.createQueuedJob(id, caller, requested, stored);
      return id;
    }
    const hash = createHash('sha256');
    const stored = await this.jobs.storeAudio(id, hashBytes(this.bytesOf(body), hash), contentType);
    const fingerprint = requestOf(wanted, hash);
    await this.jobs.createQueuedJob(id, caller, requested, stored, (tx) =>
      remember(tx, fingerprint, { job_id: id }),
    );
    return id;
  }

  private async replayJob(
    remembered: StoredResponse,
    { headers, body }: TranscribeRequest,
    wanted: JobOptionsDto,
  ): Promise<string> {
    assertDeclaredLength(headers, this.options.streamBytes);
    const hash = createHash('sha256');
    for await (const chunk of this.bytesOf(body)) hash.update(chunk);
    return remembered.replay<{ job_id: string }>(requestOf(wanted, hash)).job_id;
  }

  private bytesOf(body: unknown): AsyncGenerator<Uint8Array> {
    return readAudioBody(body, { maxBytes: this.options.streamBytes, ...this.options.minTransferRate });
  }
}

async function* hashBytes(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** What a one-shot request asks for: its options and its audio, whatever type that was said to be of. */
function requestOf(options: JobOptionsDto, audio: Hash): string {
  return fingerprintRequest({ options, audio: audio.digest('hex') });
}
