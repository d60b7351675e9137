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
    const events = followEvents(
      { read: (after) => readEvents(this.dataSource, job.id, after), wakeUps: this.bridge.wakeUps(job.id) },
      afterSeq,
    ).pipe(concatMap((event) => this.message(job, accountId, event)));
    const served = this.pool.serve(events, (waiting) => waitingMessage(waiting, afterSeq));
    return withHeartbeat(served, this.options.streams.heartbeatSeconds);
  }

  private async message(job: JobView, accountId: string, event: StoredEvent): Promise<MessageEvent> {
    if (event.type !== 'completed') return eventMessage(event, event.data);
    const finished = await findJob(this.dataSource, accountId, job.id);
    return eventMessage(event, {
      job_id: job.id,
      download_url: await this.downloads.of(finished),
      output_type: job.options.output_type,
    });
  }
}
