import type { Caller } from '@app/auth';
import type { JobView } from '@app/jobs';
import { Inject, Injectable, type MessageEvent } from '@nestjs/common';
import { concat, defer, EMPTY, lastValueFrom, type Observable, of, retry, tap, throwError } from 'rxjs';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { DownloadUrls } from '../results/download-urls.js';
import { JobStream } from '../streaming/job-stream.js';
import { withHeartbeat } from '../streaming/sse-messages.js';
import { TranscriptTextReader } from './transcript-text-reader.js';

/** Before the first event of the job itself, which is number 1. */
const ACCEPTED_ID = '0';
/** After one of these all is told. */
const FINAL_EVENTS = new Set(['failed', 'transcript']);
const READ_AGAIN = { count: 5, delay: 1_000 };

/** What a one-shot request is answered: accepted, the job's own events, and the transcript at last. */
@Injectable()
export class TranscribeStream {
  constructor(
    private readonly jobs: JobStream,
    private readonly downloadUrls: DownloadUrls,
    private readonly transcripts: TranscriptTextReader,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** Fails where it ends before the job, as it does when this process is stopped: nobody can resume it. */
  open({ accountId }: Caller, jobId: string): Observable<MessageEvent> {
    const accepted: MessageEvent = {
      type: 'accepted',
      id: ACCEPTED_ID,
      data: { job_id: jobId, download_url: this.downloadUrls.forPendingJob(jobId) },
    };
    const followed = this.jobs.follow({
      accountId,
      jobId,
      afterSeq: 0,
      createFinalMessage: (finished, lastSeq) => this.createTranscriptMessage(finished, lastSeq),
    });
    const events = concat(of(accepted), toTheEnd(followed));
    return withHeartbeat(events, this.options.streams.heartbeatSeconds);
  }

  /** Under the number of `completed`: it is no event of the job's own, and resuming after it is resuming at the end. */
  private async createTranscriptMessage(finished: JobView, lastSeq: number): Promise<MessageEvent> {
    const text = defer(() => this.transcripts.read(finished)).pipe(retry(READ_AGAIN));
    return { type: 'transcript', id: String(lastSeq), data: await lastValueFrom(text) };
  }
}

function toTheEnd(events: Observable<MessageEvent>): Observable<MessageEvent> {
  return defer(() => {
    let isComplete = false;
    const watched = events.pipe(tap(({ type = '' }) => (isComplete ||= FINAL_EVENTS.has(type))));
    const incompleteStreamError = () => new Error('The stream ended before the job; the job goes on.');
    return concat(
      watched,
      defer(() => (isComplete ? EMPTY : throwError(incompleteStreamError))),
    );
  });
}
