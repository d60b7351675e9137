import { findJob, isTerminal, type JobView, readEvents, type StoredEvent } from '@app/jobs';
import { Inject, Injectable, type MessageEvent } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { Downloads } from '../results/downloads.js';
import { EventBridge } from './event-bridge.js';
import { followEvents } from './event-log.js';
import { resumePoint } from './resume-point.js';
import { eventMessage, waitingMessage, withHeartbeat } from './sse-message.js';
import { StreamPool } from './stream-pool.js';

export interface Followed {
  accountId: string;
  jobId: string;
  /** Number of the event after which the stream begins. */
  afterSeq: number;
  /** What comes after `completed`, if anything. */
  epilogue?: (finished: JobView, lastSeq: number) => Promise<MessageEvent>;
}

/** The events of one job as server-sent events. */
@Injectable()
export class JobStream {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(EventBridge) private readonly bridge: EventBridge,
    @Inject(StreamPool) private readonly pool: StreamPool,
    @Inject(Downloads) private readonly downloads: Downloads,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** @throws ServiceError `job_not_found`, before anything is sent. */
  async open(
    accountId: string,
    jobId: string,
    lastEventId: string | undefined,
  ): Promise<Observable<MessageEvent>> {
    const job = await findJob(this.dataSource, accountId, jobId);
    const afterSeq = resumePoint(lastEventId, job.eventSeq, isTerminal(job.status));
    return withHeartbeat(this.follow({ accountId, jobId, afterSeq }), this.options.streams.heartbeatSeconds);
  }

  /** The events of a job that exists, once the pool has room; no heartbeats. */
  follow(followed: Followed): Observable<MessageEvent> {
    const { jobId, afterSeq } = followed;
    const source = {
      read: (after: number) => readEvents(this.dataSource, jobId, after),
      wakeUps: this.bridge.wakeUps(jobId),
    };
    const events = followEvents(source, afterSeq).pipe(concatMap((event) => this.messages(followed, event)));
    return this.pool.serve(events, (waiting) => waitingMessage(waiting, afterSeq));
  }

  private async *messages(
    { accountId, jobId, epilogue }: Followed,
    event: StoredEvent,
  ): AsyncGenerator<MessageEvent> {
    if (event.type !== 'completed') return yield eventMessage(event, event.data);
    const finished = await findJob(this.dataSource, accountId, jobId);
    yield eventMessage(event, {
      job_id: jobId,
      download_url: await this.downloads.of(finished),
      output_type: finished.options.output_type,
    });
    if (epilogue) yield await epilogue(finished, event.seq);
  }
}
