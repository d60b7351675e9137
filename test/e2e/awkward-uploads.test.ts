import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { type Bytes, silentWav } from './support/audio.js';
import { Client, type CreatedJob, expectStatus } from './support/client.js';
import { waitUntilBeingStored } from './support/data-dir.js';
import { expectContiguous } from './support/events.js';
import {
  abortMultipart,
  listRemainingFiles,
  completeMultipart,
  createMultipart,
  type CreatedMultipart,
  putPart,
  statusOf,
} from './support/multipart.js';
import { expectProblem } from './support/problem.js';
import { Program } from './support/program.js';
import { Service } from './support/service.js';
import { startSlowPut } from './support/slow-put.js';
import { until } from './support/until.js';

const MIB = 2 ** 20;

let service: Service;
let client: Client;
/** A second API process on the same data. */
let otherProgram: Program;
let other: Client;

beforeAll(async () => {
  service = await Service.start({ ...inject('engineSettings'), LEASE_SECONDS: '3', SWEEP_SECONDS: '1' });
  client = await service.client();
  const port = await findFreePort();
  otherProgram = Program.launch('api', [], { ...service.settings, PORT: String(port) }, service.logFile);
  await otherProgram.waitUntilReady();
  other = new Client(`http://127.0.0.1:${port}`, await service.apiKey());
});
afterAll(async () => {
  await otherProgram?.stop();
  await service?.stop();
});

const cancel = (jobId: string, caller = client) => caller.post('/jobs/cancel', { job_id: jobId });
const readDuration = async ({ download_url }: Pick<CreatedJob, 'download_url'>) =>
  (JSON.parse((await client.download(download_url)).text) as { duration: number }).duration;

/** All files of a job except its transcript. */
const expectNoFilesRemain = (created: { job_id: string; upload_id?: string }) =>
  expect
    .poll(() => listRemainingFiles(service, { upload_id: created.job_id, ...created } as CreatedMultipart), {
      timeout: 30_000,
    })
    .toEqual([]);

describe('§4.3 a single upload out of order', () => {
  it('complete during the PUT answers 400 and the upload continues', async () => {
    const audio = silentWav(2);
    const created = await client.create({ file_size: audio.length });
    const put = startSlowPut(created.upload_url, created.content_type, audio.length);
    await put.send(audio.slice(0, 20_000));
    expectProblem(await client.complete(created.job_id), 400, 'upload_incomplete');
    await put.send(audio.slice(20_000));
    expect((await put.pendingResponse).status).toBe(200);
    expect(statusOf(await client.complete(created.job_id))).toBe('queued');
    expect((await client.events(created.job_id)).at(-1)?.name).toBe('completed');
  });

  it('two PUTs, in sequence or at once, store the complete bytes of one of them', async () => {
    const created = await client.upload(silentWav(1));
    const secondPut = await client.put(created.upload_url, silentWav(2), created.content_type);
    expect(secondPut.status).toBe(200);
    await client.complete(created.job_id);
    await client.events(created.job_id);
    expect(await readDuration(created)).toBe(2);

    const otherUpload = await client.create({ file_size: 1 });
    const puts = [silentWav(2), silentWav(3), silentWav(4)].map((bytes) =>
      client.put(otherUpload.upload_url, bytes, otherUpload.content_type),
    );
    for (const { status } of await Promise.all(puts)) expect(status).toBe(200);
    await client.complete(otherUpload.job_id);
    expect((await client.events(otherUpload.job_id)).at(-1)?.name).toBe('completed');
    expect([2, 3, 4]).toContain(await readDuration(otherUpload));
  });

  it('a PUT during or after the cancellation of its job answers 403 and stores nothing', async () => {
    const created = await client.upload(silentWav(1));
    const put = startSlowPut(created.upload_url, created.content_type, 40_000);
    await waitUntilBeingStored(service.dataDir, () => put.send(silentWav(1).slice(0, 20_000)));
    expect(statusOf(await cancel(created.job_id))).toBe('cancelled');
    await put.send(silentWav(1).slice(0, 20_000));
    expectProblem(await put.pendingResponse, 403, 'upload_closed');
    expectProblem(
      await client.put(created.upload_url, silentWav(1), created.content_type),
      403,
      'upload_closed',
    );
    await expectNoFilesRemain(created);
  });

  it('an aborted PUT stores nothing and can be repeated', async () => {
    const created = await client.create({ file_size: 1 });
    const put = startSlowPut(created.upload_url, created.content_type, 1_000_000);
    await waitUntilBeingStored(service.dataDir, () => put.send(silentWav(1)));
    put.disconnect();
    await until('the files are deleted', async () => (await listTemporaryFiles()).length === 0);
    expectProblem(await client.complete(created.job_id), 400, 'upload_incomplete');
    expect((await client.put(created.upload_url, silentWav(1), created.content_type)).status).toBe(200);
    expect(statusOf(await client.complete(created.job_id))).toBe('queued');
    expect((await client.events(created.job_id)).at(-1)?.name).toBe('completed');
  });
});

/** The temporary files of uploads in progress. */
function listTemporaryFiles(): Promise<string[]> {
  return readdir(join(service.dataDir, 'objects', 'tmp'));
}

describe('§4.10 cancel in races', () => {
  it('cancel racing complete over two processes has one outcome, which all responses report', async () => {
    // With the processor stopped, a late cancel still finds the job queued.
    await service.whileStopped('processor', async () => {
      for (let seed = 0; seed < 12; seed += 1) {
        const { job_id } = await client.upload(silentWav(1));
        const calls = [
          () => (seed % 2 ? other : client).complete(job_id),
          () => cancel(job_id, seed % 3 ? client : other),
          () => cancel(job_id, other),
        ];
        const offset = seed % calls.length;
        const rotatedCalls = [...calls.slice(offset), ...calls.slice(0, offset)];
        const statuses = (await Promise.all(rotatedCalls.map((call) => call()))).map(statusOf);
        const times = statuses.filter((status) => status === 'cancelled').length;
        expect(times, statuses.join()).toBe(1);
        expect(await client.job(job_id)).toMatchObject({ status: 'failed', failed_stage: 'cancelled' });
        expectContiguous(await client.events(job_id));
      }
    });
  });

  it('cancel racing the completion of the job ends it once, with the outcome in the response', async () => {
    const ends: string[] = [];
    const ids: string[] = [];
    const attempts = 16;
    /** Each attempt is later than the previous one; the last is always too late. */
    const createCancelledUpload = async (seed: number) => {
      const { job_id } = await client.submit(silentWav(1));
      if (seed === attempts - 1) await client.events(job_id);
      else for (let polls = 0; polls < seed * 3; polls += 1) await client.job(job_id);
      return { job_id, cancelStatus: statusOf(await cancel(job_id, seed % 2 ? client : other)) };
    };
    for (let seed = 0; seed < attempts; seed += 1) {
      // The first attempt is always in time.
      const { job_id, cancelStatus } =
        seed === 0
          ? await service.whileStopped('processor', () => createCancelledUpload(seed))
          : await createCancelledUpload(seed);
      const events = await client.events(job_id);
      expectContiguous(events);
      const { status, failed_stage, download_url } = await client.job(job_id);
      if (cancelStatus === 'cancelled') expect([status, failed_stage]).toEqual(['failed', 'cancelled']);
      else expect([status, failed_stage]).toEqual(['completed', null]);
      expect(download_url === null).toBe(status === 'failed');
      expect(events.at(-1)?.name).toBe(status);
      expect(statusOf(await cancel(job_id))).toBe(status);
      ends.push(status);
      ids.push(job_id);
    }
    for (const job_id of ids) await expectNoFilesRemain({ job_id });
    expect([ends[0], ends.at(-1)]).toEqual(['failed', 'completed']);
  });
});

describe('§4.5 contradictory multipart completions', () => {
  const twoParts = async () => {
    const created = await createMultipart(client, { file_size: 6 * MIB, part_size: 5 * MIB });
    const long = new Uint8Array(5 * MIB);
    long.set(silentWav(1).slice(0, 44));
    new DataView(long.buffer).setUint32(40, 0xffffffff, true);
    const parts = [await putPart(client, created, 1, long), await putPart(client, created, 2, silentWav(1))];
    return { created, parts };
  };

  it('concurrent completions over two processes accept the complete list once and transcribe it', async () => {
    const ended: CreatedMultipart[] = [];
    for (let seed = 0; seed < 6; seed += 1) {
      const { created, parts } = await twoParts();
      const lists = [parts.slice(1), parts.slice(0, 1), parts];
      const partLists = [0, 1, 2, 0, 1, 2].map((_, index) => lists[(index + seed) % lists.length] ?? []);
      const responses = await Promise.all(
        partLists.map((list, index) => completeMultipart(index % 2 ? client : other, created.job_id, list)),
      );
      for (const response of responses)
        if (response.status !== 200) expectProblem(response, 400, 'invalid_parts');
      const successful = responses.filter(({ status, text }) => status === 200 && text.includes('queued'));
      expect(successful, responses.map(({ text }) => text).join()).toHaveLength(1);
      expect(partLists[responses.indexOf(successful[0] ?? expect.unreachable())]).toBe(parts);
      expectContiguous(await client.events(created.job_id));
      expect((await client.job(created.job_id)).status).toBe('completed');
      // The first part lasts more than 100 seconds.
      expect(await readDuration(created)).toBeGreaterThan(100);
      ended.push(created);
    }
    for (const created of ended) await expectNoFilesRemain(created);
  });
});

describe('§4.6 parts after the end of their upload', () => {
  const part = (): Bytes => silentWav(1);

  it('a part in transfer during an abort answers 403 and stores nothing', async () => {
    const created = await createMultipart(client, { file_size: 1 });
    const put = startSlowPut(created.parts[0]?.url ?? '', 'application/octet-stream', part().length);
    await waitUntilBeingStored(service.dataDir, () => put.send(part().slice(0, 10_000)));
    expect(statusOf(await abortMultipart(other, created.job_id))).toBe('aborted');
    await put.send(part().slice(10_000));
    expectProblem(await put.pendingResponse, 403, 'upload_closed');
    await expectNoFilesRemain(created);
    await until('nothing is being written', async () => (await listTemporaryFiles()).length === 0);
  });

  it('a part in transfer during a completion answers 403 and the listed parts are transcribed', async () => {
    const created = await createMultipart(client, { file_size: 1 });
    const first = await putPart(client, created, 1, part());
    const put = startSlowPut(created.parts[0]?.url ?? '', 'application/octet-stream', silentWav(3).length);
    await waitUntilBeingStored(service.dataDir, () => put.send(part()));
    expect(statusOf(await completeMultipart(other, created.job_id, [first]))).toBe('queued');
    await put.send(silentWav(3).slice(part().length));
    expectProblem(await put.pendingResponse, 403, 'upload_closed');
    expect((await client.events(created.job_id)).at(-1)?.name).toBe('completed');
    expect(await readDuration(created)).toBe(1);
    await expectNoFilesRemain(created);
  });

  it('parts of a cancelled or unused upload are deleted', async () => {
    const created = await createMultipart(client, { file_size: 1 });
    await putPart(client, created, 1, part());
    expect(statusOf(await cancel(created.job_id))).toBe('cancelled');
    expect(
      expectStatus(200, await completeMultipart(client, created.job_id, [{ part_number: 1, etag: 'x' }])),
    ).toEqual({
      status: 'failed',
    });
    await expectNoFilesRemain(created);
    expectProblem(
      await client.put(created.parts[0]?.url ?? '', part(), 'application/octet-stream'),
      403,
      'upload_closed',
    );
  });
});
