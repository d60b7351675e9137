import type { Caller } from '@app/auth';
import type { JobView } from '@app/jobs';
import { Inject, Injectable, type MessageEvent } from '@nestjs/common';
import { concat, defer, EMPTY, lastValueFrom, type Observable, of, retry, tap, throwError } from 'rxjs';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { DownloadUrls } from '../results/download-urls.js';
import { JobStream } from '../streaming/job-stream.js';
import { withHeartbeat } from '../streaming/sse-messages.js';
import { TranscriptTextReader } from './transcript-text-reader.js';

/** Precedes the first event of the job, number 1. */
const ACCEPTED_EVENT_ID = '0';
/** A stream is complete after one of these. */
const FINAL_EVENTS = new Set(['failed', 'transcript']);
const READ_RETRY = { count: 5, delay: 1_000 };

/** The response of `POST /transcribe`: `accepted`, the events of the job, and the transcript. */
@Injectable()
export class TranscribeStream {
  constructor(
    private readonly jobs: JobStream,
    private readonly downloadUrls: DownloadUrls,
    private readonly transcripts: TranscriptTextReader,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** Errors if it ends before the job, for example at shutdown, because it cannot be resumed. */
  open({ accountId }: Caller, jobId: string): Observable<MessageEvent> {
    const accepted: MessageEvent = {
      type: 'accepted',
      id: ACCEPTED_EVENT_ID,
      data: { job_id: jobId, download_url: this.downloadUrls.forPendingJob(jobId) },
    };
    const followed = this.jobs.follow({
      accountId,
      jobId,
      afterSeq: 0,
      createFinalMessage: (finished, lastSeq) => this.createTranscriptMessage(finished, lastSeq),
    });
    const events = concat(of(accepted), failIfIncomplete(followed));
    return withHeartbeat(events, this.options.streams.heartbeatSeconds);
  }

  /** Has the id of `completed`: it is not an event of the job, and resuming after it resumes at the end. */
  private async createTranscriptMessage(finished: JobView, lastSeq: number): Promise<MessageEvent> {
    const text = defer(() => this.transcripts.read(finished)).pipe(retry(READ_RETRY));
    return { type: 'transcript', id: String(lastSeq), data: await lastValueFrom(text) };
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
