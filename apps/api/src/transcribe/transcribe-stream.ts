import type { Caller } from '@app/auth';
import { Inject, Injectable, type MessageEvent } from '@nestjs/common';
import { concat, defer, EMPTY, type Observable, of, tap, throwError } from 'rxjs';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { TranscriptDownloadUrlService } from '../transcripts/transcript-download-url.service.js';
import { JobStreamService } from '../streaming/job-stream.js';
import { withHeartbeat } from '../streaming/sse-messages.js';
import { JobEndWaiter } from './job-end-waiter.js';
import { TranscriptTextReader } from './transcript-text-reader.js';

/** Precedes the first event of the job, number 1. */
const ACCEPTED_EVENT_ID = '0';
const FINAL_EVENTS = new Set(['failed', 'transcript']);

/** The response of `POST /transcribe`: `accepted`, the events of the job, and the transcript. */
@Injectable()
export class TranscribeStreamService {
  constructor(
    private readonly jobs: JobStreamService,
    private readonly downloadUrls: TranscriptDownloadUrlService,
    private readonly transcripts: TranscriptTextReader,
    private readonly completionWaiter: JobEndWaiter,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /** Errors if it ends before the job, because it cannot be resumed. */
  open(caller: Caller, jobId: string): Observable<MessageEvent> {
    const { accountId } = caller;
    const accepted: MessageEvent = {
      type: 'accepted',
      id: ACCEPTED_EVENT_ID,
      data: { job_id: jobId, download_url: this.downloadUrls.forPendingJob(jobId) },
    };
    const jobMessages = this.jobs.followInPool({
      accountId,
      jobId,
      afterSeq: 0,
      // Has the id of `completed`: it is not an event of the job, and resuming after it resumes at the end.
      createMessageAfterCompleted: async (lastSeq) => ({
        type: 'transcript',
        id: String(lastSeq),
        data: await this.transcripts.read(accountId, jobId),
      }),
    });
    const messages = concat(of(accepted), failIfIncomplete(jobMessages));
    const uninterrupted = this.completionWaiter.failOnInterruption(messages, caller, jobId);
    return withHeartbeat(uninterrupted, this.options.streams.heartbeatSeconds);
  }
}

function failIfIncomplete(events: Observable<MessageEvent>): Observable<MessageEvent> {
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
