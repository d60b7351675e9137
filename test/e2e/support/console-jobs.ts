import { expect } from 'vitest';
import type { ConsoleClient } from './console-client.js';

export interface ConsoleJob {
  job_id: string;
  status: string;
  file_name: string | null;
  source: string;
  created_at: string;
  key: { id: string; name: string } | null;
  created_by: { email: string } | null;
  failed_stage: string | null;
  transcript_available: boolean;
  steps_done: number;
  steps_total: number | null;
}

export interface ConsoleJobDetails extends ConsoleJob {
  options: Record<string, unknown>;
  metadata: Record<string, string>;
  request_id: string | null;
  credits: number | null;
  advice: string | null;
  events: { seq: number; event: string; at: string; data: Record<string, unknown> }[];
}

export interface ConsoleJobPage {
  jobs: ConsoleJob[];
  next_cursor: string | null;
}

/** Creates a job and sends its bytes, without completing it. */
export async function createUpload(
  browser: ConsoleClient,
  bytes: Uint8Array<ArrayBuffer>,
  options: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await browser.request<{
    job_id: string;
    upload_url: string;
    content_type: string;
  }>('POST', 'upload', { file_size: bytes.length, ...options });
  expect(status).toBe(200);
  const sent = await fetch(body.upload_url, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': body.content_type },
  });
  expect(sent.status).toBe(200);
  return body.job_id;
}

export async function getConsoleJob(browser: ConsoleClient, jobId: string): Promise<ConsoleJobDetails> {
  return (await browser.request<ConsoleJobDetails>('GET', `jobs/${jobId}`)).body;
}

/** @param query with its question mark */
export async function listJobIds(browser: ConsoleClient, query = ''): Promise<string[]> {
  const { status, body } = await browser.request<ConsoleJobPage>('GET', `jobs${query}`);
  expect(status).toBe(200);
  return body.jobs.map(({ job_id }) => job_id);
}
