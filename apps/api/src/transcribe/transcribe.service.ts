import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '@app/auth';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { audioBytes, audioType, checkDeclaredLength, checkEncoding } from './audio-body.js';
import { OneShotJobs } from './one-shot-jobs.js';
import { optionsOfQuery } from './transcribe-query.js';

/** A sender may be silent for so long in the middle of its body. */
export const IDLE_MS = 30_000;

export interface TranscribeRequest {
  query: Readonly<Record<string, unknown>>;
  /** As they were sent. */
  headers: IncomingHttpHeaders;
  /** The stream of the body. */
  body: unknown;
}

/** Takes the audio of a one-shot request and makes its job. */
@Injectable()
export class TranscribeService {
  constructor(
    @Inject(OneShotJobs) private readonly jobs: OneShotJobs,
    @Inject(JobRequestCheck) private readonly requests: JobRequestCheck,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Refuses what can be refused before a byte is taken; then takes the whole body; then there is a job, queued.
   * @returns its id
   * @throws ServiceError 402, 413, 422; nothing is left of the body then, nor when its sender leaves
   */
  async take(caller: Caller, { query, headers, body }: TranscribeRequest): Promise<string> {
    const contentType = audioType(headers);
    checkEncoding(headers);
    const options = await this.requests.check(optionsOfQuery(query), null);
    await this.jobs.admit(caller);
    checkDeclaredLength(headers, this.options.streamBytes);
    const id = uuidv7();
    const bytes = audioBytes(body, { maxBytes: this.options.streamBytes, idleMs: IDLE_MS });
    const stored = await this.jobs.storeAudio(id, bytes, contentType);
    await this.jobs.create(id, caller, options, stored);
    return id;
  }
}
