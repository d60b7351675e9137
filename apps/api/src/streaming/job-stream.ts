import { AsyncResource } from 'node:async_hooks';
import {
  buildFailedEventOfDeletedJob,
  getJob,
  isEndEventType,
  isEndStatus,
  readJobEvents,
  type StoredJobEvent,
} from '@app/jobs';
import { Inject, Injectable, Logger, type MessageEvent } from '@nestjs/common';
import {
  catchError,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  first,
  from,
  lastValueFrom,
  type Observable,
  of,
  retry,
  takeUntil,
  throwError,
  timer,
} from 'rxjs';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { TranscriptDownloadUrlService } from '../transcripts/transcript-download-url.service.js';
import { getJobAndLinkTrace } from '../jobs/job-of-request.js';
import { toServiceError } from '../errors/to-service-error.js';
import { JobEventWatcher } from './job-event-watcher.js';
import { type JobEventCursor, observeJobEvents } from './observe-job-events.js';
import { resolveResumePoint } from './resolve-resume-point.js';
import {
  toJobEventMessage,
  toPublicEventData,
  toStreamQueuePositionMessage,
  withHeartbeat,
} from './sse-messages.js';
import { StreamAdmissionQueue } from './stream-admission-queue.js';

const RETRY_DELAY_MS = 1_000;
const MAX_RECONNECT_SECONDS = 60;
const RETRY_WHILE_UNAVAILABLE = {
  count: 60,
  delay: (error: unknown) =>
    toServiceError(error).status === 503 ? timer(RETRY_DELAY_MS) : throwError(() => error),
};

interface FollowOptions {
  accountId: string;
  jobId: string;
  afterSeq: number;
  /** Creates a message that follows `completed`. */
  createMessageAfterCompleted?: (lastSeq: number) => Promise<MessageEvent>;
}

/** The events of one job as server-sent events. */
@Injectable()
export class JobStreamService {
  private readonly logger = new Logger(JobStreamService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly eventWatcher: JobEventWatcher,
    private readonly pool: StreamAdmissionQueue,
    private readonly downloadUrls: TranscriptDownloadUrlService,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /** @throws ServiceError `job_not_found`, before anything is sent. */
  async open(
    accountId: string,
    jobId: string,
    lastEventId: string | undefined,
  ): Promise<Observable<MessageEvent>> {
    const { id, afterSeq, isEnded } = await this.findResumePoint(accountId, jobId, lastEventId);
    // The path may have an upper-case id; events are announced with the stored id.
    const followed = { accountId, jobId: id, afterSeq };
    const messages = isEnded ? this.followWithoutPool(followed) : this.followInPool(followed);
    const events = messages.pipe(
      // The client reconnects and resumes from its last event.
      catchError((error: unknown) => {
        this.logger.error(error);
        return EMPTY;
      }),
    );
    return withHeartbeat(events, this.options.streams.heartbeatSeconds);
  }

  /**
   * The response when even the queue is full: the rest of an ended job, which ends the stream at once, else a `waiting` event with
   * a reconnect delay, which SSE clients obey by themselves.
   * @throws ServiceError `job_not_found`
   */
  async openAboveCapacity(
    accountId: string,
    jobId: string,
    lastEventId: string | undefined,
  ): Promise<Observable<MessageEvent>> {
    const { id, afterSeq, isEnded } = await this.findResumePoint(accountId, jobId, lastEventId);
    if (isEnded) return this.followWithoutPool({ accountId, jobId: id, afterSeq });
    const waiting = this.pool.nextPosition(accountId);
    const seconds = Math.min(
      Math.max(waiting.eta_seconds, this.options.streams.waitingSeconds),
      MAX_RECONNECT_SECONDS,
    );
    return of({ ...toStreamQueuePositionMessage(waiting, afterSeq), retry: seconds * 1_000 });
  }

  /**
   * Emits the events of an existing job while it has a slot of the pool, and its position in the queue while it has none. A job
   * that ends needs no slot for its last events. No heartbeats. Errors if an event cannot be built.
   */
  followInPool(options: FollowOptions): Observable<MessageEvent> {
    const { accountId, jobId } = options;
    return defer(() => {
      const cursor = { seq: options.afterSeq };
      // Other requests give and take its slot.
      const asyncContext = new AsyncResource('JobStream');
      const serve = () => this.watchEvents(accountId, jobId, cursor, asyncContext);
      const items = this.pool.serve<StoredJobEvent | MessageEvent>(accountId, {
        serve,
        wait: () =>
          this.watchEvents(accountId, jobId, { ...cursor }, asyncContext).pipe(
            first(({ type }) => isEndEventType(type)),
            concatMap(serve),
          ),
        toMessage: (position) => toStreamQueuePositionMessage(position, cursor.seq),
      });
      return items.pipe(concatMap((item) => ('seq' in item ? this.createMessages(options, item) : of(item))));
    });
  }

  private createMessages(options: FollowOptions, event: StoredJobEvent): Observable<MessageEvent> {
    return from(this.toMessages(options, event)).pipe(takeUntil(this.pool.shutdown));
  }

  private followWithoutPool(options: FollowOptions): Observable<MessageEvent> {
    const { accountId, jobId, afterSeq } = options;
    return this.watchEvents(accountId, jobId, { seq: afterSeq }).pipe(
      concatMap((event) => this.toMessages(options, event)),
      takeUntil(this.pool.shutdown),
    );
  }

  /**
   * Emits the stored events of a job after the cursor until its end, or `failed` if the job is deleted meanwhile, and moves
   * the cursor. Needs no slot of the pool.
   */
  watchEvents(
    accountId: string,
    jobId: string,
    cursor: JobEventCursor,
    asyncContext?: AsyncResource,
  ): Observable<StoredJobEvent> {
    const read = async (afterSeq: number) => {
      const stored = await readJobEvents(this.dataSource, accountId, jobId, afterSeq);
      return stored ?? [buildFailedEventOfDeletedJob(afterSeq + 1)];
    };
    return observeJobEvents({ read, notifications: this.eventWatcher.watch(jobId), asyncContext }, cursor);
  }

  /** Emits when a step of the job has ended, also one without an event, as while its number of steps is unknown. */
  watchChanges(jobId: string): Observable<unknown> {
    const isKnown = (before: number, lastSeq: number) => lastSeq !== Infinity && lastSeq === before;
    return this.eventWatcher.watch(jobId).pipe(distinctUntilChanged(isKnown));
  }

  /** @throws ServiceError `job_not_found` */
  private async findResumePoint(accountId: string, jobId: string, lastEventId: string | undefined) {
    const job = await getJobAndLinkTrace(this.dataSource, accountId, jobId);
    const isEnded = isEndStatus(job.status);
    return { id: job.id, afterSeq: resolveResumePoint(lastEventId, job.eventSeq, isEnded), isEnded };
  }

  private async *toMessages(
    { accountId, jobId, createMessageAfterCompleted }: FollowOptions,
    event: StoredJobEvent,
  ): AsyncGenerator<MessageEvent> {
    if (event.type !== 'completed') return yield toJobEventMessage(event, toPublicEventData(event));
    const data = defer(() => this.buildCompletion(accountId, jobId)).pipe(retry(RETRY_WHILE_UNAVAILABLE));
    yield toJobEventMessage(event, await lastValueFrom(data));
    if (createMessageAfterCompleted) yield await createMessageAfterCompleted(event.seq);
  }

  private async buildCompletion(accountId: string, jobId: string): Promise<object> {
    const completed = await getJob(this.dataSource, accountId, jobId);
    const download_url = await this.downloadUrls.forCompletedJob(completed);
    const { options, metadata } = completed;
    const data = { job_id: jobId, download_url, output_type: options.output_type };
    return Object.keys(metadata).length > 0 ? { ...data, metadata } : data;
  }
}
