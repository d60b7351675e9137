import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '@app/storage';
import type { TranscriptDocument } from '@app/transcript';
import { expect } from 'vitest';
import type { World } from './job-world.js';

const objects = new Map<string, Buffer>();

/** An object store in memory, with the methods that the stages of a job use. */
export const memoryStore = {
  objects,
  fetchToFile: (key: string, path: string) => writeFile(path, objects.get(key) ?? Buffer.alloc(0)),
  put: async (key: string, body: Readable | Buffer) => {
    const bytes = await buffer(Buffer.isBuffer(body) ? Readable.from([body]) : body);
    objects.set(key, bytes);
    return { key, size: bytes.length };
  },
} as unknown as ObjectStore & { objects: Map<string, Buffer> };

/** The transcript of a job that has completed. */
export async function readStoredTranscript(world: World, jobId: string): Promise<TranscriptDocument> {
  const job = await world.row<{ status: string; key: string }>(
    'SELECT status, result_key AS key FROM job WHERE id = $1',
    jobId,
  );
  expect(job?.status).toBe('completed');
  return JSON.parse(String(objects.get(job?.key ?? ''))) as TranscriptDocument;
}
