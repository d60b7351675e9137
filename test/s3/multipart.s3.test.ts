import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  putPart,
  putParts,
  statusOf,
} from '../e2e/support/multipart.js';
import { expectProblem } from '../e2e/support/problem.js';
import { Service } from '../e2e/support/service.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

const MIB = 2 ** 20;
const LIMIT = 100 * 1024 * MIB;

let s3: Radosgw;
let service: Service;
let client: Client;

beforeAll(async () => {
  s3 = await startRadosgw();
  service = await Service.start({
    S3_BUCKET: 'multipart',
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
    MAX_MULTIPART_BYTES: String(LIMIT),
  });
  client = await service.client();
});
afterAll(async () => {
  await service?.stop();
  await s3?.stop();
});

describe('§4.4 to §4.6 multipart uploads in S3', () => {
  it('are signed, sent, put together and processed', async () => {
    const audio = silent(200);
    const created = await createMultipart(client, { file_size: audio.length, part_size: 5 * MIB });
    expect(created.num_parts).toBe(2);
    const parts = await putParts(client, created, audio);
    const wrong = parts.map((part) => ({ ...part, etag: '"00"' }));
    const { errors } = expectProblem(await completeMultipart(client, created.job_id, wrong), 400);
    expect(errors).toMatchObject([{ field: 'parts.1.etag' }]);
    const answers = await Promise.all([1, 2, 3].map(() => completeMultipart(client, created.job_id, parts)));
    expect(answers.map(statusOf).filter((status) => status === 'queued')).toHaveLength(1);
    expect((await client.events(created.job_id)).at(-1)?.name).toBe('completed');
  });

  it('are discarded, and take no part afterwards', async () => {
    const created = await createMultipart(client, { file_size: 1 });
    const parts = [await putPart(client, created, 1, silent(1))];
    expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
    expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
    expect(statusOf(await completeMultipart(client, created.job_id, parts))).toBe('failed');
    const late = await client.put(created.parts[0]?.url ?? '', silent(1), 'application/octet-stream');
    expect(late.status).toBe(404);
  });

  it('get ten thousand addresses in seconds', async () => {
    const began = performance.now();
    const { num_parts, parts } = await createMultipart(client, { file_size: 10_000 * 6 * MIB, part_size: 1 });
    console.log(`${num_parts} addresses after ${Math.round(performance.now() - began)} ms`);
    expect(num_parts).toBe(10_000);
    expect(new Set(parts.map(({ url }) => url)).size).toBe(10_000);
  });
});
