import { join } from 'node:path';
import { listEntriesRecursively } from '../../support/list-entries-recursively.js';
import type { Bytes } from './audio.js';
import { type ApiResponse, type Client, expectStatus } from './client.js';
import type { Service } from './service.js';

export interface CreatedMultipart {
  job_id: string;
  upload_id: string;
  download_url: string;
  part_size: number;
  num_parts: number;
  parts: { part_number: number; url: string }[];
  expires_in: number;
}

export interface Part {
  part_number: number;
  etag: string;
}

export async function createMultipart(
  client: Client,
  body: Record<string, unknown>,
): Promise<CreatedMultipart> {
  return expectStatus<CreatedMultipart>(200, await client.post('/upload/multipart/create', body));
}

/** Sends one part. @returns its entry for the complete call. */
export async function putPart(
  client: Client,
  created: CreatedMultipart,
  partNumber: number,
  bytes: Bytes,
  contentType = 'application/octet-stream',
): Promise<Part> {
  const url = created.parts[partNumber - 1]?.url ?? '';
  const response = await client.put(url, bytes, contentType);
  expectStatus(200, response);
  return { part_number: partNumber, etag: response.headers.get('etag') ?? '' };
}

/** Splits the bytes as planned and sends the last part first. @returns the parts in the order of sending. */
export async function putParts(client: Client, created: CreatedMultipart, bytes: Bytes): Promise<Part[]> {
  const uploaded: Part[] = [];
  for (const { part_number } of created.parts.toReversed()) {
    const start = (part_number - 1) * created.part_size;
    uploaded.push(await putPart(client, created, part_number, bytes.slice(start, start + created.part_size)));
  }
  return uploaded;
}

export function completeMultipart(client: Client, jobId: string, parts: unknown): Promise<ApiResponse> {
  return client.post('/upload/multipart/complete', { job_id: jobId, parts });
}

export function abortMultipart(client: Client, jobId: string): Promise<ApiResponse> {
  return client.post('/upload/multipart/abort', { job_id: jobId });
}

/** The status in the response of an action route. */
export function statusOf(response: ApiResponse): string {
  return expectStatus<{ status: string }>(200, response).status;
}

/** Paths of the stored files of an upload and of its job, without transcripts. */
export async function listRemainingFiles(
  service: Service,
  { job_id, upload_id }: CreatedMultipart,
): Promise<string[]> {
  const entries = await listEntriesRecursively(join(service.dataDir, 'objects'));
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter(
    (path) => (path.includes(job_id) || path.includes(upload_id)) && !path.includes('transcripts'),
  );
}
