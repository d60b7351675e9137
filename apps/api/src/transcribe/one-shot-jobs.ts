import { Readable } from 'node:stream';
import type { Caller } from '@app/auth';
import { CreditGate } from '@app/billing';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { audioKeyOf, createJob, enqueueJob, type JobOptions, Relay } from '@app/jobs';
import { OBJECT_STORE, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';

/** Jobs whose audio comes with the request that makes them: the bytes are stored first, under the id of the job to be. */
@Injectable()
export class OneShotJobs {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(CreditGate) private readonly credit: CreditGate,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** @throws ServiceError `out_of_credit`, before a byte is taken */
  async admit({ accountId }: Caller): Promise<void> {
    await this.credit.mayCreate(accountId);
  }

  /** Takes the audio as it comes, none of it kept in memory; what `bytes` throws leaves nothing behind. */
  async storeAudio(
    jobId: string,
    bytes: AsyncIterable<Uint8Array>,
    contentType: string,
  ): Promise<ObjectInfo> {
    return this.store.put(audioKeyOf(jobId), Readable.from(bytes), contentType);
  }

  /** Of a job that is not to be. */
  async dropAudio(jobId: string): Promise<void> {
    await this.store.delete(audioKeyOf(jobId));
  }

  /**
   * The job, queued.
   * @param before done first in the job's transaction
   * @throws ServiceError `key_invalid` when the account is gone, or what `before` throws; the audio is gone then, too
   */
  async create(
    id: string,
    { accountId }: Caller,
    options: JobOptions,
    stored: ObjectInfo,
    before?: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    const { deadlineSeconds } = this.options;
    const { contentType } = stored;
    const job = { id, accountId, source: 'stream', options, audioUrl: null, contentType } as const;
    try {
      await inTransaction(this.dataSource, async (tx) => {
        await before?.(tx);
        await createJob(tx, { ...job, uploadSeconds: null, deadlineSeconds });
        await enqueueJob(tx, id, { stored, deadlineSeconds });
      });
    } catch (error) {
      // After any other error the job may exist all the same: upkeep deletes audio that turns out to have none.
      if (error instanceof ServiceError) await this.dropAudio(id);
      throw error;
    }
    this.relay.nudge();
  }
}
