import type { Caller } from '@app/auth';
import { type ErrorCode, ServiceError } from '@app/errors';
import { isEndEventType, type StoredJobEvent } from '@app/jobs';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  defer,
  filter,
  firstValueFrom,
  fromEvent,
  merge,
  mergeMap,
  type Observable,
  of,
  ReplaySubject,
  takeUntil,
  throwError,
} from 'rxjs';
import { JobStreamService } from '../streaming/job-stream.js';
import { AccessRevocationWatcher } from '../streaming/access-revocation-watcher.js';

/** Waits for the end of a job within the request that created it. The job continues when the waiting ends early. */
@Injectable()
export class JobEndWaiter implements OnModuleDestroy {
  /** Replayed for requests that begin to wait during shutdown. */
  private readonly shutdown = new ReplaySubject<void>(1);

  constructor(
    private readonly jobs: JobStreamService,
    private readonly revocations: AccessRevocationWatcher,
  ) {}

  /**
   * Resolves with the last event of the job, `completed` or `failed`.
   * @throws ServiceError as `failOnInterruption`; EmptyError when the signal aborts
   */
  waitForFinalEvent(caller: Caller, jobId: string, signal: AbortSignal): Promise<StoredJobEvent> {
    const finalEvents = this.jobs.watchEvents(caller.accountId, jobId, { seq: 0 }).pipe(
      filter(({ type }) => isEndEventType(type)),
      takeUntil(fromAbortSignal(signal)),
    );
    return firstValueFrom(this.failOnInterruption(finalEvents, caller, jobId));
  }

  /** Errors with `invalid_api_key` when the key is revoked, and with `service_unavailable` at shutdown. */
  failOnInterruption<T>(events: Observable<T>, caller: Caller, jobId: string): Observable<T> {
    const failWith = (code: ErrorCode, reason: string) =>
      mergeMap(() =>
        throwError(() => new ServiceError(code, { detail: `${reason}; the job ${jobId} goes on.` })),
      );
    const revocation = this.revocations.watch(caller);
    const revoked = revocation.pipe(failWith('invalid_api_key', 'The API key is no longer valid'));
    const stopped = this.shutdown.pipe(failWith('service_unavailable', 'The service is being stopped'));
    return events.pipe(takeUntil(merge(revoked, stopped)));
  }

  onModuleDestroy(): void {
    this.shutdown.next();
  }
}

/** Emits on abort, immediately if already aborted. */
function fromAbortSignal(signal: AbortSignal): Observable<unknown> {
  return defer(() => (signal.aborted ? of(undefined) : fromEvent(signal, 'abort')));
}
