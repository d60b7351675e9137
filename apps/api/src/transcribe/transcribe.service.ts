import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '@app/auth';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { fingerprintOf } from '../idempotency/fingerprint.js';
import { Idempotency, type Remember } from '../idempotency/idempotency.service.js';
import type { Remembered } from '../idempotency/remembered.js';
import type { Repeat } from '../idempotency/repeat.js';
import type { JobOptionsDto } from '../jobs/job-options.dto.js';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { Pressure } from '../pressure/pressure.js';
import { audioBytes, audioType, checkDeclaredLength, checkEncoding } from './audio-body.js';
import { OneShotJobs } from './one-shot-jobs.js';
import { optionsOfQuery } from './transcribe-query.js';

export interface TranscribeRequest {
  query: Readonly<Record<string, unknown>>;
  /** As they were sent. */
  headers: IncomingHttpHeaders;
  /** The stream of the body. */
  body: unknown;
}

interface JudgedRequest extends TranscribeRequest {
  contentType: string;
  wanted: JobOptionsDto;
}

/** Takes the audio of a one-shot request and makes its job. */
@Injectable()
export class TranscribeService {
  constructor(
    private readonly jobs: OneShotJobs,
    private readonly requests: JobRequestCheck,
    private readonly idempotency: Idempotency,
    private readonly pressure: Pressure,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Refuses what can be refused before a byte is taken; then takes the whole body; then there is a job, queued.
   * A repeated request is read to its end as well, to tell whether it is the same; nothing is kept of it.
   * @returns the id of the job, of the first request's where this one repeats it
   * @throws ServiceError 402, 409, 413, 422, 503; nothing is left of the body then, nor when its sender leaves
   */
  async take(caller: Caller, request: TranscribeRequest, repeat: Repeat | null = null): Promise<string> {
    const contentType = audioType(request.headers);
    checkEncoding(request.headers);
    const wanted = optionsOfQuery(request.query);
    return this.pressure.bodies.during(caller.accountId, () =>
      this.idempotency.attempt(repeat, {
        first: (remember) => this.takeNew(caller, { ...request, contentType, wanted }, remember),
        again: (remembered) => this.takeAgain(remembered, request, wanted),
      }),
    );
  }

  private async takeNew(
    caller: Caller,
    { headers, body, contentType, wanted }: JudgedRequest,
    remember: Remember | undefined,
  ): Promise<string> {
    const requested = await this.requests.check(wanted, null);
    await this.jobs.admit(caller);
    checkDeclaredLength(headers, this.options.streamBytes);
    const id = uuidv7();
    if (!remember) {
      const stored = await this.jobs.storeAudio(id, this.bytesOf(body), contentType);
      await this.jobs.create(id, caller, requested, stored);
      return id;
    }
    const hash = createHash('sha256');
    const stored = await this.jobs.storeAudio(id, hashed(this.bytesOf(body), hash), contentType);
    const fingerprint = requestOf(wanted, hash);
    await this.jobs.create(id, caller, requested, stored, (tx) => remember(tx, fingerprint, { job_id: id }));
    return id;
  }

  private async takeAgain(
    remembered: Remembered,
    { headers, body }: TranscribeRequest,
    wanted: JobOptionsDto,
  ): Promise<string> {
    checkDeclaredLength(headers, this.options.streamBytes);
    const hash = createHash('sha256');
    for await (const chunk of this.bytesOf(body)) hash.update(chunk);
    return remembered.answerTo<{ job_id: string }>(requestOf(wanted, hash)).job_id;
  }

  private bytesOf(body: unknown): AsyncGenerator<Uint8Array> {
    return audioBytes(body, { maxBytes: this.options.streamBytes, ...this.options.bodyPace });
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** What a one-shot request asks for: its options and its audio, whatever type that was said to be of. */
function requestOf(options: JobOptionsDto, audio: Hash): string {
  return fingerprintOf({ options, audio: audio.digest('hex') });
}
