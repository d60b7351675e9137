import { expect } from 'vitest';
import { type Client, expectStatus, type JobEvent } from '../support/client.js';
import { expectTranscriptDocument, type Transcript } from '../support/transcript-document.js';
import { isTerminal } from '../support/events.js';

interface CreatedUpload {
  job_id: string;
  download_url: string;
}

/** All events of a job that has ended. */
export function readAllEvents(client: Client, jobId: string): Promise<JobEvent[]> {
  return client.events(jobId, { lastEventId: '0' });
}

/** The last event of a job, after it has ended. */
export async function waitForEnd(client: Client, jobId: string): Promise<JobEvent> {
  const end = (await client.events(jobId)).at(-1);
  if (end === undefined || !isTerminal(end)) throw new Error(`the stream of ${jobId} has no terminal event`);
  return end;
}

/** The transcript document of a job that completes, downloaded from the URL in the response to its creation. */
export async function readTranscript(
  client: Client,
  { job_id, download_url }: CreatedUpload,
): Promise<Transcript> {
  const { name, data } = await waitForEnd(client, job_id);
  expect(name, JSON.stringify(data)).toBe('completed');
  const file = await client.download(download_url);
  expectStatus(200, file);
  return expectTranscriptDocument(file.text, job_id);
}
