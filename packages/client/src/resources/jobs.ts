import { streamJobEvents, type StreamOptions } from '../events/job-stream.js';
import type { HttpTransport } from '../http/http-transport.js';
import type {
  EndedJob,
  Job,
  JobListQuery,
  JobStreamEvent,
  ProgressOptions,
  SignalOptions,
  JobActionStatusResponse,
} from '../types.js';
import { JobList } from './job-list.js';

export class Jobs {
  constructor(private readonly transport: HttpTransport) {}

  get(jobId: string, { signal }: SignalOptions = {}): Promise<Job> {
    const path = `api/v1/jobs/${encodeURIComponent(jobId)}`;
    return this.transport.requestJson({ method: 'GET', path, expectedField: 'job_id', signal });
  }

  /** The jobs of the account, newest first. Iterating it, or its `pages()`, requests page after page. */
  list(query: JobListQuery = {}, { signal }: SignalOptions = {}): JobList {
    return new JobList(this.transport, query, signal);
  }

  /** @returns `cancelled`, or the status of a job that nothing could be done about any more */
  cancel(jobId: string, { signal }: SignalOptions = {}): Promise<JobActionStatusResponse> {
    const path = 'api/v1/jobs/cancel';
    return this.transport.requestJson({ method: 'POST', path, json: { job_id: jobId }, signal });
  }

  /** Deletes a job with its audio, transcript and vocabulary; one that runs is cancelled. The charge stays. */
  delete(jobId: string, { signal }: SignalOptions = {}): Promise<void> {
    return this.transport.delete(`api/v1/jobs/${encodeURIComponent(jobId)}`, signal);
  }

  /** Whether each of at most 1,000 jobs has failed, in the same order. */
  async checkFailed(jobIds: readonly string[], { signal }: SignalOptions = {}): Promise<boolean[]> {
    const { failed_jobs: failed } = await this.transport.requestJson<{ failed_jobs: boolean[] }>({
      method: 'POST',
      path: 'api/v1/jobs/check-failed',
      json: { job_ids: jobIds },
      signal,
    });
    return failed;
  }

  /** The events of a job until it has ended, each once, over as many connections as it takes. */
  stream(jobId: string, options: StreamOptions = {}): AsyncGenerator<JobStreamEvent, void, undefined> {
    return streamJobEvents(this.transport, jobId, options);
  }

  /** Follows a job to its end. @returns it, also if it has failed */
  async wait(jobId: string, { signal, onProgress }: SignalOptions & ProgressOptions = {}): Promise<EndedJob> {
    const options = signal === undefined ? {} : { signal };
    for await (const event of this.stream(jobId, options)) {
      if (event.event === 'progress') onProgress?.({ phase: 'transcription', ...event.data });
    }
    return (await this.get(jobId, options)) as EndedJob;
  }
}
