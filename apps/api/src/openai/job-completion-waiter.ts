import type { Caller } from '@app/auth';
import { ServiceError } from '@app/errors';
import { findJob, isTerminalEvent, readEvents } from '@app/jobs';
import type { TranscriptDocument } from '@app/transcript';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  defer,
  filter,
  firstValueFrom,
  fromEvent,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  retry,
  takeUntil,
} from 'rxjs';
import { DataSource } from 'typeorm';
import { EventBridge } from '../streaming/event-bridge.js';
import { followEvents } from '../streaming/follow-events.js';
import { KeyRevocationWatcher } from '../streaming/key-revocation-watcher.js';
import { TranscriptTextReader } from '../transcribe/transcript-text-reader.js';
import { toJobFailureError } from './to-job-failure-error.js';

const READ_AGAIN = { count: 5, delay: 1_000 };

/** Waits for the ends of jobs: nobody asks for them, the log of events says when. */
@Injectable()
export class JobCompletionWaiter implements OnModuleDestroy {
  /** Replayed, for requests that come to wait while the process ends. */
  private readonly shutdown = new ReplaySubject<void>(1);

  constructor(
    private readonly dataSource: DataSource,
    private readonly bridge: EventBridge,
    private readonly keyRevocations: KeyRevocationWatcher,
    private readonly transcripts: TranscriptTextReader,
  ) {}

  /**
   * The transcript of the job once there is one.
   * @param signal aborted when nobody waits for it any more; the job goes on
   * @throws ServiceError why the job failed; `invalid_api_key` when the key is revoked meanwhile, `service_unavailable` when this
   * process ends: the job goes on then, too
   */
  async waitForTranscript(
    { accountId, keyId }: Caller,
    jobId: string,
    signal: AbortSignal,
  ): Promise<TranscriptDocument> {
    const jobContinues = `the job ${jobId} goes on.`;
    const revoked = this.keyRevocations.watch(keyId).pipe(
      map(
        () =>
          new ServiceError('invalid_api_key', {
            detail: `The API key is no longer valid; ${jobContinues}`,
          }),
      ),
    );
    const stopped = this.shutdown.pipe(
      map(
        () =>
          new ServiceError('service_unavailable', {
            detail: `The service is being stopped; ${jobContinues}`,
          }),
      ),
    );
    const outcome = merge(this.waitForEnd(accountId, jobId), revoked, stopped).pipe(
      takeUntil(abortOf(signal)),
    );
    const error = await firstValueFrom(outcome);
    if (error !== null) throw error;
    return firstValueFrom(defer(() => this.readTranscript(accountId, jobId)).pipe(retry(READ_AGAIN)));
  }

  onModuleDestroy(): void {
    this.shutdown.next();
  }

  /** Null when it completed. */
  private waitForEnd(accountId: string, jobId: string): Observable<ServiceError | null> {
    const source = {
      read: (after: number) => readEvents(this.dataSource, accountId, jobId, after),
      wakeUps: this.bridge.wakeUps(jobId),
    };
    return followEvents(source, 0).pipe(
      filter(({ type }) => isTerminalEvent(type)),
      map(({ type, data }) => (type === 'failed' ? toJobFailureError(data) : null)),
    );
  }

  private async readTranscript(accountId: string, jobId: string): Promise<TranscriptDocument> {
    const job = await findJob(this.dataSource, accountId, jobId);
    return JSON.parse(await this.transcripts.read(job)) as TranscriptDocument;
  }
}

/** Emits when it is aborted, at once when it was before. */
function abortOf(signal: AbortSignal): Observable<unknown> {
  return defer(() => (signal.aborted ? of(undefined) : fromEvent(signal, 'abort')));
}
