import type { HttpTransport } from '../http/http-transport.js';
import type { SignalOptions, JobSpeakerNames } from '../types.js';

export class Speakers {
  constructor(private readonly transport: HttpTransport) {}

  /**
   * Names speakers of a completed job.
   * @param names by label, such as `{ SPEAKER_1: 'Ada' }`; `null` removes a name
   * @returns every label with its name
   */
  rename(
    jobId: string,
    names: Record<string, string | null>,
    { signal }: SignalOptions = {},
  ): Promise<JobSpeakerNames> {
    const path = `api/v1/jobs/${encodeURIComponent(jobId)}/speakers`;
    return this.transport.requestJson({ method: 'PATCH', path, json: { speakers: names }, signal });
  }
}
