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
import { followEvents } from '../streaming/event-log.js';
import { KeyWatch } from '../streaming/key-watch.js';
import { TranscriptText } from '../transcribe/transcript-text.js';
import { failureOf } from './failure.js';

const READ_AGAIN = { count: 5, delay: 1_000 };

/** Waits for the ends of jobs: nobody asks for them, the log of events says when. */
@Injectable()
export class JobEnd implements OnModuleDestroy {
  /** Replayed, for requests that come to wait while the process ends. */
  private readonly ending = new ReplaySubject<void>(1);

  constructor(
    private readonly dataSource: DataSource,
    private readonly bridge: EventBridge,
    private readonly keys: KeyWatch,
    private readonly transcripts: TranscriptText,
  ) {}

  /**
   * The transcript of the job once there is one.
   * @param left aborted when nobody waits for it any more; the job goes on
   * @throws ServiceError why the job failed; `invalid_api_key` when the key is revoked meanwhile, `service_unavailable` when this
   * process ends: the job goes on then, too
   */
  async transcript(
    { accountId, keyId }: Caller,
    jobId: string,
    left: AbortSignal,
  ): Promise<TranscriptDocument> {
    const goesOn = `the job ${jobId} goes on.`;
    const revoked = this.keys
      .revocation(keyId)
      .pipe(
        map(
          () => new ServiceError('invalid_api_key', { detail: `The API key is no longer valid; ${goesOn}` }),
        ),
      );
    const stopped = this.ending.pipe(
      map(
        () => new ServiceError('service_unavailable', { detail: `The service is being stopped; ${goesOn}` }),
      ),
    );
    const outcome = merge(this.ended(accountId, jobId), revoked, stopped).pipe(takeUntil(abortOf(left)));
    const refusal = await firstValueFrom(outcome);
    if (refusal !== null) throw refusal;
    return firstValueFrom(defer(() => this.read(accountId, jobId)).pipe(retry(READ_AGAIN)));
  }

  onModuleDestroy(): void {
    this.ending.next();
  }

  /** Null when it completed. */
  private ended(accountId: string, jobId: string): Observable<ServiceError | null> {
    const source = {
      read: (after: number) => readEvents(this.dataSource, accountId, jobId, after),
      wakeUps: this.bridge.wakeUps(jobId),
    };
    return followEvents(source, 0).pipe(
      filter(({ type }) => isTerminalEvent(type)),
      map(({ type, data }) => (type === 'failed' ? failureOf(data) : null)),
    );
  }

  private async read(accountId: string, jobId: string): Promise<TranscriptDocument> {
    const job = await findJob(this.dataSource, accountId, jobId);
    return JSON.parse(await this.transcripts.of(job)) as TranscriptDocument;
  }
}

/** Emits when it is aborted, at once when it was before. */
function abortOf(signal: AbortSignal): Observable<unknown> {
  return defer(() => (signal.aborted ? of(undefined) : fromEvent(signal, 'abort')));
}
