import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Caller } from '@app/auth';
import { CreditGate } from '@app/billing';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { audioKeyOf, createJob, enqueueJob, type JobOptions, Relay } from '@app/jobs';
import { OBJECT_STORE, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { audioBytes, audioType, checkDeclaredLength, checkEncoding } from './audio-body.js';
import { optionsOfQuery } from './transcribe-query.js';

const IDLE_MS = 30_000;

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
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(JobRequestCheck) private readonly requests: JobRequestCheck,
    @Inject(CreditGate) private readonly credit: CreditGate,
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
    await this.credit.mayCreate(caller.accountId);
    checkDeclaredLength(headers, this.options.streamBytes);
    const id = uuidv7();
    const bytes = audioBytes(body, { maxBytes: this.options.streamBytes, idleMs: IDLE_MS });
    const stored = await this.store.put(audioKeyOf(id), Readable.from(bytes), contentType);
    await this.create(id, caller, options, stored);
    this.relay.nudge();
    return id;
  }

  private async create(
    id: string,
    { accountId }: Caller,
    options: JobOptions,
    stored: ObjectInfo,
  ): Promise<void> {
    const { deadlineSeconds } = this.options;
    const { contentType } = stored;
    const job = { id, accountId, source: 'stream', options, audioUrl: null, contentType } as const;
    try {
      await inTransaction(this.dataSource, async (tx) => {
        await createJob(tx, { ...job, uploadSeconds: null, deadlineSeconds });
        await enqueueJob(tx, id, { stored, deadlineSeconds });
      });
    } catch (error) {
      // After any other error the job may exist all the same: upkeep deletes audio that turns out to have none.
      if (error instanceof ServiceError) await this.store.delete(stored.key);
      throw error;
    }
  }
}
