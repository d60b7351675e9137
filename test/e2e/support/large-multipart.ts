import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Bytes } from './audio.js';
import type { Client } from './client.js';
import {
  completeMultipart,
  type CreatedMultipart,
  createMultipart,
  type Part,
  putPart,
  statusOf,
} from './multipart.js';

/** 37 full parts of the default size, and a short one. */
export const LARGE_BYTES = 600 * 2 ** 20 + 7;
const CONCURRENCY = 6;

export async function createLargeMultipart(client: Client): Promise<CreatedMultipart> {
  const created = await createMultipart(client, { file_size: LARGE_BYTES });
  expect(created.num_parts).toBe(38);
  return created;
}

/** Sends every part, some concurrently, and completes the upload. @returns the hash of all bytes in order (hex). */
export async function uploadLargeMultipart(client: Client, created: CreatedMultipart): Promise<string> {
  const fileHash = createHash('sha256');
  const waiting = created.parts.map(({ part_number }) => {
    fileHash.update(partBytes(created, part_number));
    return part_number;
  });
  const parts: Part[] = [];
  const sendParts = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      parts.push(await putPart(client, created, next, partBytes(created, next)));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendParts));
  expect(statusOf(await completeMultipart(client, created.job_id, parts))).toBe('queued');
  return fileHash.digest('hex');
}

/** Bytes of one part, different for every part, that no program can decode. */
function partBytes({ part_size, num_parts }: CreatedMultipart, partNumber: number): Bytes {
  const size = partNumber < num_parts ? part_size : LARGE_BYTES - part_size * (num_parts - 1);
  const bytes = new Uint8Array(size).fill(0x41);
  new DataView(bytes.buffer).setUint32(0, partNumber);
  return bytes;
}

/** Size and hash (hex) of a stream of bytes. */
export async function computeDigest(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Checks that the job fails because its object is not audio. */
export async function expectDecodeFailure(client: Client, { job_id }: CreatedMultipart): Promise<void> {
  expect((await client.events(job_id)).at(-1)).toMatchObject({
    name: 'failed',
    data: { step: 'preprocess' },
  });
}
