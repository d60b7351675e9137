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

const READ_RETRY = { count: 5, delay: 1_000 };

/** Waits for jobs to end, by their event log. */
@Injectable()
export class JobCompletionWaiter implements OnModuleDestroy {
  /** Replayed for requests that begin to wait during shutdown. */
  private readonly shutdown = new ReplaySubject<void>(1);

  constructor(
    private readonly dataSource: DataSource,
    private readonly bridge: EventBridge,
    private readonly keyRevocations: KeyRevocationWatcher,
    private readonly transcripts: TranscriptTextReader,
  ) {}

  /**
   * Resolves with the transcript when the job has completed.
   * @param signal aborts waiting; the job continues
   * @throws ServiceError the failure of the job; `invalid_api_key` when the key is revoked, `service_unavailable` at shutdown,
   * while the job continues
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
      takeUntil(fromAbortSignal(signal)),
    );
    const error = await firstValueFrom(outcome);
    if (error !== null) throw error;
    return firstValueFrom(defer(() => this.readTranscript(accountId, jobId)).pipe(retry(READ_RETRY)));
  }

  onModuleDestroy(): void {
    this.shutdown.next();
  }

  /** Emits null when the job completed. */
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

/** Emits on abort, immediately if already aborted. */
function fromAbortSignal(signal: AbortSignal): Observable<unknown> {
  return defer(() => (signal.aborted ? of(undefined) : fromEvent(signal, 'abort')));
}
