import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.js';
import {
  createLargeMultipart,
  computeDigest,
  expectDecodeFailure,
  LARGE_BYTES,
  uploadLargeMultipart,
} from './support/large-multipart.js';
import { measurePeakMemoryIncrease } from './support/measure-memory.js';
import { listRemainingFiles } from './support/multipart.js';
import type { Service } from './support/service.js';

const MIB = 2 ** 20;
const TEST_TIMEOUT_MS = 60_000;

let service: Service;
let client: Client;

/** The pieces of an object in the file store as its record lists them, and the recorded size. */
async function readStoredObject(jobId: string): Promise<{ size: number; files: string[] }> {
  const objects = join(service.dataDir, 'objects');
  const record = (await readdir(objects, { recursive: true })).find(
    (path) => path.includes('audio') && path.endsWith(`${jobId}@meta`),
  );
  if (record === undefined) throw new Error('no record');
  const { size, pieces } = JSON.parse(await readFile(join(objects, record), 'utf8')) as {
    size: number;
    pieces: { file: string }[];
  };
  return { size, files: pieces.map(({ file }) => join(objects, dirname(record), file)) };
}

async function* readFiles(files: string[]): AsyncGenerator<Uint8Array> {
  for (const file of files) for await (const chunk of createReadStream(file)) yield chunk as Buffer;
}

/** Of an API that has done nothing before, whose memory is measured. */
export function describeLargeMultipart(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
  });

  describe('§4.4 a large multipart upload', () => {
    it('600 MB in six concurrent parts are stored unchanged without growing the memory of the API', async () => {
      const startedAt = performance.now();
      const created = await createLargeMultipart(client);
      // The object is checked before the sweep may delete it.
      await service.whileStopped('processor', async () => {
        let sha256 = '';
        const memoryIncrease = await measurePeakMemoryIncrease(await service.pidOf('api'), async () => {
          sha256 = await uploadLargeMultipart(client, created);
        });
        const elapsedMs = performance.now() - startedAt;

        const { size, files } = await readStoredObject(created.job_id);
        expect(size).toBe(LARGE_BYTES);
        expect(await computeDigest(readFiles(files))).toEqual({ size: LARGE_BYTES, sha256 });

        const mebibytes = memoryIncrease / MIB;
        console.log(`600 MB in parts: ${Math.round(elapsedMs)} ms, API memory +${mebibytes.toFixed(0)} MiB`);
        expect(elapsedMs).toBeLessThan(TEST_TIMEOUT_MS);
        expect(mebibytes).toBeLessThan(150);
      });
      await expectDecodeFailure(client, created);
      await expect.poll(() => listRemainingFiles(service, created), { timeout: 30_000 }).toEqual([]);
    });
  });
}
