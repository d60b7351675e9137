import { expect } from 'vitest';
import { type Client, expectStatus, type JobEvent } from '../support/client.js';
import { expectTranscriptDocument, type Transcript } from '../support/transcript-document.js';
import { isTerminal } from '../support/events.js';

interface CreatedUpload {
  job_id: string;
  download_url: string;
}

/** All events of a job that has ended, from the first. */
export function allEvents(client: Client, jobId: string): Promise<JobEvent[]> {
  return client.events(jobId, { lastEventId: '0' });
}

/** How a job ended. */
export async function endOf(client: Client, jobId: string): Promise<JobEvent> {
  const end = (await client.events(jobId)).at(-1);
  if (end === undefined || !isTerminal(end)) throw new Error(`the stream of ${jobId} told no end`);
  return end;
}

/** The transcript document of a job that completes, from the address of its creation. */
export async function transcriptOf(
  client: Client,
  { job_id, download_url }: CreatedUpload,
): Promise<Transcript> {
  const { name, data } = await endOf(client, job_id);
  expect(name, JSON.stringify(data)).toBe('completed');
  const file = await client.download(download_url);
  expectStatus(200, file);
  return expectTranscriptDocument(file.text, job_id);
}
