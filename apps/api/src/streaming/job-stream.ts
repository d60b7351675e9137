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

const RETRY_DELAY_MS = 1_000;
/** Upper bound of the reconnect delay. */
const MAX_RECONNECT_SECONDS = 60;
const RETRY_WHILE_UNAVAILABLE = {
  count: 60,
  delay: (error: unknown) =>
    toServiceError(error).status === 503 ? timer(RETRY_DELAY_MS) : throwError(() => error),
};

export interface FollowOptions {
  accountId: string;
  jobId: string;
  /** Sequence number after which the stream begins. */
  afterSeq: number;
  /** Creates a message that follows `completed`. */
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
    // The path may have an upper-case id; events are announced with the stored id.
    const events = this.follow({ accountId, jobId: id, afterSeq }).pipe(
      // The client reconnects and resumes from its last event.
      catchError((error: unknown) => {
        this.logger.error(error);
        return EMPTY;
      }),
    );
    return withHeartbeat(events, this.options.streams.heartbeatSeconds);
  }

  /**
   * The response when even the queue is full: a `waiting` event with a reconnect delay, which SSE clients obey by
   * themselves. Nothing is held for the client meanwhile.
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
      MAX_RECONNECT_SECONDS,
    );
    return of({ ...toWaitingMessage(waiting, afterSeq), retry: seconds * 1_000 });
  }

  /** The events of an existing job once the pool has room, without heartbeats. Errors if it cannot deliver them all. */
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
    { accountId, jobId, createFinalMessage }: FollowOptions,
    event: StoredEvent,
  ): AsyncGenerator<MessageEvent> {
    if (event.type === 'failed') return yield toEventMessage(event, toPublicFailure(event.data));
    if (event.type !== 'completed') return yield toEventMessage(event, event.data);
    const loadCompletion = defer(() => this.completion(accountId, jobId)).pipe(
      retry(RETRY_WHILE_UNAVAILABLE),
    );
    const { finished, data } = await lastValueFrom(loadCompletion);
    yield toEventMessage(event, data);
    if (createFinalMessage) yield await createFinalMessage(finished, event.seq);
  }

  private async completion(accountId: string, jobId: string): Promise<{ finished: JobView; data: object }> {
    const finished = await findJob(this.dataSource, accountId, jobId);
    const download_url = await this.downloadUrls.forCompletedJob(finished);
    const { options, metadata } = finished;
    const data = { job_id: jobId, download_url, output_type: options.output_type };
    return { finished, data: Object.keys(metadata).length > 0 ? { ...data, metadata } : data };
  }
}

/** Other stored fields of a failure are internal. */
function toPublicFailure({ step, reason }: StoredEvent['data']): object {
  return { step, reason };
}
