import { findJob, isTerminalStatus, type JobView, readEvents, type StoredEvent } from '@app/jobs';
import { Inject, Injectable, Logger, type MessageEvent } from '@nestjs/common';
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  lastValueFrom,
  type Observable,
  of,
  retry,
  throwError,
  timer,
} from 'rxjs';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { DownloadUrls } from '../results/download-urls.js';
import { toServiceError } from '../errors/to-service-error.js';
import { EventBridge } from './event-bridge.js';
import { followEvents } from './follow-events.js';
import { resolveResumePoint } from './resolve-resume-point.js';
import { toEventMessage, toWaitingMessage, withHeartbeat } from './sse-messages.js';
import { StreamPool } from './stream-pool.js';

const AGAIN_MS = 1_000;
/** For which a client that found no room stays away at most. */
const MAX_AWAY_SECONDS = 60;
const WHILE_AWAY = {
  count: 60,
  delay: (error: unknown) =>
    toServiceError(error).status === 503 ? timer(AGAIN_MS) : throwError(() => error),
};

export interface FollowOptions {
  accountId: string;
  jobId: string;
  /** Number of the event after which the stream begins. */
  afterSeq: number;
  /** What comes after `completed`, if anything. */
  createFinalMessage?: (finished: JobView, lastSeq: number) => Promise<MessageEvent>;
}

/** The events of one job as server-sent events. */
@Injectable()
export class JobStream {
  private readonly logger = new Logger(JobStream.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly bridge: EventBridge,
    private readonly pool: StreamPool,
    private readonly downloadUrls: DownloadUrls,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** @throws ServiceError `job_not_found`, before anything is sent. */
  async open(
    accountId: string,
    jobId: string,
    lastEventId: string | undefined,
  ): Promise<Observable<MessageEvent>> {
    const { id, afterSeq } = await this.findStart(accountId, jobId, lastEventId);
    // The path may have it in capitals; events are announced under the id as it is stored.
    const events = this.follow({ accountId, jobId: id, afterSeq }).pipe(
      // Whoever was not told the end asks again from where it was.
      catchError((error: unknown) => {
        this.logger.error(error);
        return EMPTY;
      }),
    );
    return withHeartbeat(events, this.options.streams.heartbeatSeconds);
  }

  /**
   * The whole answer where even the line for the pool is full: the place in it, and when to connect again, which
   * programs that read event streams do by themselves. Nothing is held for the client meanwhile.
   * @throws ServiceError `job_not_found`
   */
  async askToReconnect(
    accountId: string,
    jobId: string,
    lastEventId: string | undefined,
  ): Promise<Observable<MessageEvent>> {
    const { afterSeq } = await this.findStart(accountId, jobId, lastEventId);
    const waiting = this.pool.nextPosition();
    const seconds = Math.min(
      Math.max(waiting.eta_seconds, this.options.streams.waitingSeconds),
      MAX_AWAY_SECONDS,
    );
    return of({ ...toWaitingMessage(waiting, afterSeq), retry: seconds * 1_000 });
  }

  /** The events of a job that exists, once the pool has room; no heartbeats. Fails when it cannot tell them all. */
  follow(followed: FollowOptions): Observable<MessageEvent> {
    const { accountId, jobId, afterSeq } = followed;
    const source = {
      read: (after: number) => readEvents(this.dataSource, accountId, jobId, after),
      wakeUps: this.bridge.wakeUps(jobId),
    };
    const events = followEvents(source, afterSeq).pipe(
      concatMap((event) => this.toMessages(followed, event)),
    );
    return this.pool.serve(events, (waiting) => toWaitingMessage(waiting, afterSeq));
  }

  /** The job of the account, and the number of the event after which its stream begins. @throws ServiceError */
  private async findStart(accountId: string, jobId: string, lastEventId: string | undefined) {
    const job = await findJob(this.dataSource, accountId, jobId);
    return {
      id: job.id,
      afterSeq: resolveResumePoint(lastEventId, job.eventSeq, isTerminalStatus(job.status)),
    };
  }

  private async *toMessages(
    { accountId, jobId, createFinalMessage: epilogue }: FollowOptions,
    event: StoredEvent,
  ): AsyncGenerator<MessageEvent> {
    if (event.type === 'failed') return yield toEventMessage(event, failureTold(event.data));
    if (event.type !== 'completed') return yield toEventMessage(event, event.data);
    const loadCompletion = defer(() => this.completion(accountId, jobId)).pipe(retry(WHILE_AWAY));
    const { finished, data } = await lastValueFrom(loadCompletion);
    yield toEventMessage(event, data);
    if (epilogue) yield await epilogue(finished, event.seq);
  }

  private async completion(accountId: string, jobId: string): Promise<{ finished: JobView; data: object }> {
    const finished = await findJob(this.dataSource, accountId, jobId);
    const download_url = await this.downloadUrls.forCompletedJob(finished);
    const { options, metadata } = finished;
    const data = { job_id: jobId, download_url, output_type: options.output_type };
    return { finished, data: Object.keys(metadata).length > 0 ? { ...data, metadata } : data };
  }
}

/** What else is stored of a failure is for the service itself. */
function failureTold({ step, reason }: StoredEvent['data']): object {
  return { step, reason };
}
