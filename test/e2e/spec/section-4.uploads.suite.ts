import { describe, expect, it } from 'vitest';
import { silentWav } from '../support/audio.js';
import { expectStatus } from '../support/client.js';
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  putPart,
  statusOf,
} from '../support/multipart.js';
import { expectInvalidFields, expectProblem } from '../support/problem.js';
import { waitForEnd } from './ends.js';
import type { SpecContext } from './spec-context.js';

const MIB = 2 ** 20;
const GB = 1e9;
const MULTIPART = '/upload/multipart/create';

export function describeSection4Uploads(getContext: () => SpecContext): void {
  describe('§4.1 POST /upload', () => {
    it('creates a job at each call', async () => {
      const { client } = getContext();
      const [one, other] = [await client.create({ file_size: 1 }), await client.create({ file_size: 1 })];
      expect(one.job_id).not.toBe(other.job_id);
      for (const { job_id } of [one, other]) expect((await client.job(job_id)).status).toBe('processing');
    });

    it('requires exactly one valid value of file_size and audio_url', async () => {
      const { client, receiver } = getContext();
      const audio_url = `${receiver.url}/speech.wav`;
      expectInvalidFields(await client.post('/upload', {}), 'file_size');
      expectInvalidFields(await client.post('/upload', { file_size: 1, audio_url }), 'audio_url');
      for (const file_size of [0, -1, 1.5, '10'])
        expectInvalidFields(await client.post('/upload', { file_size }), 'file_size');
      for (const url of ['ftp://example.org/a', 'file:///etc/passwd', 'http://10.0.0.1/a', 'a.wav', 7])
        expectInvalidFields(await client.post('/upload', { audio_url: url }), 'audio_url');
    });

    it('accepts more stored bytes than file_size', async () => {
      const { client } = getContext();
      const { job_id } = await client.submit(silentWav(1), { file_size: 7 });
      expect((await waitForEnd(client, job_id)).name).toBe('completed');
    });
  });

  describe('§4.2 POST /upload/progress', () => {
    it('returns active while the upload is pending, then the status of the job', async () => {
      const { client } = getContext();
      const { job_id } = await client.upload(silentWav(1));
      expect(statusOf(await client.progress(job_id))).toBe('active');
      expect(statusOf(await client.complete(job_id))).toBe('queued');
      expect(['processing', 'completed']).toContain(statusOf(await client.progress(job_id)));
    });
  });

  describe('§4.4 POST /upload/multipart/create', () => {
    it('returns a signed URL per part, and the parts cover the file', async () => {
      const { client } = getContext();
      const created = await createMultipart(client, { file_size: 40 * MIB });
      expect(created).toEqual({
        job_id: expect.stringMatching(/^[\da-f-]{36}$/),
        upload_id: expect.stringMatching(/\w/),
        download_url: expect.stringMatching(/^http/),
        part_size: 16 * MIB,
        num_parts: 3,
        parts: [1, 2, 3].map((part_number) => ({ part_number, url: expect.stringMatching(/^http/) })),
        expires_in: expect.toSatisfy(Number.isInteger),
      });
      const second = await createMultipart(client, { file_size: 40 * MIB });
      expect(second.job_id).not.toBe(created.job_id);
    });

    it.each([
      ['6 GB, as planned by default', 6 * GB, null, 16 * MIB],
      ['6 GB in parts of 5 MiB', 6 * GB, 5 * MIB, 5 * MIB],
      ['too small a part', 21 * MIB, 1, 5 * MIB],
      ['too large a part', 21 * MIB, 2 ** 50, 5 * 1024 * MIB],
      ['a size in between', 21 * MIB, 7 * MIB + 1, 7 * MIB + 1],
    ])('plans %s', async (_, file_size, part_size, plan) => {
      const { client } = getContext();
      const created = await createMultipart(client, { file_size, part_size });
      expect(created.part_size).toBe(plan);
      expect(created.num_parts).toBe(Math.ceil(file_size / plan));
      expect(created.parts.map(({ part_number }) => part_number)).toEqual(
        Array.from({ length: created.num_parts }, (__, index) => index + 1),
      );
      expect(new Set(created.parts.map(({ url }) => url)).size).toBe(created.num_parts);
    });

    it('requires file_size and does not accept audio_url instead', async () => {
      const { client, receiver } = getContext();
      expectInvalidFields(await client.post(MULTIPART, {}), 'file_size');
      expectInvalidFields(
        await client.post(MULTIPART, { audio_url: `${receiver.url}/speech.wav` }),
        'file_size',
      );
      expectInvalidFields(await client.post(MULTIPART, { file_size: 1, part_size: '5' }), 'part_size');
    });
  });

  describe('§4.5 POST /upload/multipart/complete', () => {
    it('accepts parts of any content type in any order and names an incorrect part', async () => {
      const { client } = getContext();
      const created = await createMultipart(client, { file_size: 6 * MIB, part_size: 5 * MIB });
      const last = await putPart(client, created, 2, new Uint8Array(10), 'audio/wav');
      const first = await putPart(client, created, 1, silentWav((5 * MIB - 44) / 32_000), '');
      expect(first.etag).toMatch(/\w/);
      const complete = (parts: unknown) => completeMultipart(client, created.job_id, parts);
      for (const parts of [[], null, [{ part_number: 1 }], [{ etag: 'x' }], [{ ...first, part_number: '1' }]])
        expectProblem(await complete(parts), 422, 'validation_failed');
      expectProblem(await complete([first, { ...last, etag: first.etag }]), 400, 'invalid_parts');
      expectProblem(await client.complete(created.job_id), 400, 'upload_type_mismatch');
      expect(statusOf(await complete([last, first]))).toBe('queued');
      for (const late of [complete([last, first]), abortMultipart(client, created.job_id)])
        expect(['processing', 'completed']).toContain(statusOf(await late));
      expect((await waitForEnd(client, created.job_id)).name).toBe('completed');
    });

    it('answers 400 without any uploaded bytes', async () => {
      const { client } = getContext();
      const { job_id } = await createMultipart(client, { file_size: 1 });
      const unknownParts = [{ part_number: 1, etag: `"${'a'.repeat(32)}"` }];
      expectProblem(await completeMultipart(client, job_id, unknownParts), 400, 'invalid_parts');
    });
  });

  describe('§4.6 POST /upload/multipart/abort', () => {
    it('fails the job and invalidates its part URLs and its completion', async () => {
      const { client } = getContext();
      const created = await createMultipart(client, { file_size: 1 });
      const part = await putPart(client, created, 1, silentWav(1));
      expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
      expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
      expect(await waitForEnd(client, created.job_id)).toMatchObject({
        name: 'failed',
        data: { step: 'upload' },
      });
      expect(await client.job(created.job_id)).toMatchObject({
        status: 'failed',
        failed_stage: 'upload',
        reason: 'Upload aborted.',
      });
      expect(statusOf(await completeMultipart(client, created.job_id, [part]))).toBe('failed');
      const late = await client.put(created.parts[0]?.url ?? '', silentWav(1), 'application/octet-stream');
      // The file store reports a closed upload, a bucket an unknown upload.
      expect([403, 404]).toContain(late.status);
    });
  });

  describe('§4.1-4.6 fields', () => {
    it.each([
      ['/upload/progress', {}],
      ['/upload/complete', {}],
      ['/upload/multipart/complete', { parts: [{ part_number: 1, etag: 'x' }] }],
      ['/upload/multipart/abort', {}],
      ['/jobs/cancel', {}],
    ])('%s without a valid job_id answers 422', async (route, otherFields) => {
      const { client } = getContext();
      for (const job_id of [undefined, null, '', 'x', 5])
        expectInvalidFields(await client.post(route, { ...otherFields, job_id }), 'job_id');
    });

    it('unknown fields are ignored and never stored', async () => {
      const { client } = getContext();
      const callerJobId = '00000000-0000-7000-8000-000000000000';
      const body = { file_size: 1, job_id: callerJobId, status: 'completed', account_id: callerJobId };
      const { job_id } = expectStatus<{ job_id: string }>(200, await client.post('/upload', body));
      expect(job_id).not.toBe(callerJobId);
      expect((await client.job(job_id)).status).toBe('processing');
    });
  });
}
