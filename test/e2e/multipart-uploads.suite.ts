import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { expectContiguous } from './support/events.js';
import {
  completeMultipart,
  createMultipart,
  type Part,
  putPart,
  putParts,
  statusOf,
} from './support/multipart.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import type { Service } from './support/service.js';

const MIB = 2 ** 20;
/** The service must be started with this limit. */
export const MAX_MULTIPART_BYTES = 60 * 1024 * MIB;
const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';
const CREATE = '/upload/multipart/create';

let service: Service;
let client: Client;

/** The service must take less bytes in a single upload than in a part. */
export function describeMultipart(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
  });

  describe('§4.4 POST /upload/multipart/create', () => {
    it('returns the job, the plan and a signed URL per part', async () => {
      const created = await createMultipart(client, { file_size: 40 * MIB });
      expect(created).toEqual({
        job_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        upload_id: expect.stringMatching(/\w/),
        download_url: expect.stringMatching(/^http/),
        part_size: 16 * MIB,
        num_parts: 3,
        parts: [1, 2, 3].map((part_number) => ({ part_number, url: expect.stringMatching(/^http/) })),
        expires_in: 86_400,
      });
      expect((await client.job(created.job_id)).status).toBe('processing');
      expect(expectStatus(200, await client.progress(created.job_id))).toEqual({ status: 'active' });
    });

    it('raises part_size to at most 10,000 parts, each with its own URL', async () => {
      const created = await createMultipart(client, { file_size: MAX_MULTIPART_BYTES, part_size: 5 * MIB });
      expect(created.num_parts).toBeLessThanOrEqual(10_000);
      expect(created.num_parts).toBeGreaterThan(8_000);
      expect(created.part_size * created.num_parts).toBeGreaterThanOrEqual(MAX_MULTIPART_BYTES);
      expect(created.parts.map(({ part_number }) => part_number)).toEqual(
        Array.from({ length: created.num_parts }, (__, index) => index + 1),
      );
      expect(new Set(created.parts.map(({ url }) => url)).size).toBe(created.num_parts);
    });

    it.each([undefined, null, 0, -1, 1.5, '10', [10], {}, true])(
      'file_size %j answers 422',
      async (file_size) => {
        expectInvalidFields(await client.post(CREATE, { file_size }), 'file_size');
      },
    );

    it('an invalid option answers 422, an oversized file 413, an account without credits 402', async () => {
      expectInvalidFields(await client.post(CREATE, { file_size: 1, part_size: 1.5 }), 'part_size');
      expectInvalidFields(await client.post(CREATE, { file_size: 1, part_size: '5' }), 'part_size');
      expectInvalidFields(await client.post(CREATE, { file_size: 1, output_type: 'rtf' }), 'output_type');
      expectInvalidFields(
        await client.post(CREATE, { file_size: 1, callback_url: 'http://127.0.0.1/' }),
        'callback_url',
      );
      for (const file_size of [MAX_MULTIPART_BYTES + 1, 1e30])
        expectProblem(await client.post(CREATE, { file_size }), 413, 'file_too_large');
      const clientWithoutCredits = await service.client((await service.openAccount(0)).api_key);
      expectProblem(await clientWithoutCredits.post(CREATE, { file_size: 1 }), 402, 'insufficient_credits');
      expect(expectStatus(200, await clientWithoutCredits.send('GET', '/api/v1/jobs'))).toEqual({
        jobs: [],
        next_before: null,
      });
    });
  });

  describe('§4.5 POST /upload/multipart/complete', () => {
    it('many concurrent completions queue one job, which ends once', async () => {
      const created = await createMultipart(client, { file_size: 100_000 });
      const parts = await putParts(client, created, silentWav(3));
      const responses = await service.whileStopped('processor', () =>
        Promise.all(Array.from({ length: 10 }, () => completeMultipart(client, created.job_id, parts))),
      );
      const statuses = responses.map(statusOf).toSorted();
      expect(statuses).toEqual([...Array.from({ length: 9 }, () => 'processing'), 'queued']);
      expectContiguous(await client.events(created.job_id));
      expect((await client.job(created.job_id)).status).toBe('completed');
    });

    it('an incorrect list answers 400 naming the part, and a corrected list is accepted', async () => {
      const created = await createMultipart(client, { file_size: 11 * MIB, part_size: 5 * MIB });
      expect(created.num_parts).toBe(3);
      const first = await putPart(client, created, 1, new Uint8Array(5 * MIB));
      const second = await putPart(client, created, 2, silentWav(1));
      const expectRejectedPart = async (parts: Part[], field: string) => {
        const response = await completeMultipart(client, created.job_id, parts);
        const { detail, errors } = expectProblem(response, 400, 'invalid_parts');
        expect(errors).toEqual([{ field, message: expect.any(String) }]);
        expect(detail).toContain(field);
      };
      await expectRejectedPart([first, { part_number: 3, etag: second.etag }], 'parts.1.part_number');
      await expectRejectedPart([{ ...second, etag: first.etag }, first], 'parts.0.etag');
      await expectRejectedPart([first, { ...second, etag: '../../x' }], 'parts.1.etag');
      await expectRejectedPart([first, second, first], 'parts.2.part_number');
      const tooManyParts = Array.from({ length: 10_000 }, (_, index) => ({
        ...first,
        part_number: index + 1,
      }));
      await expectRejectedPart(tooManyParts, 'parts.1.etag');
      expect(statusOf(await completeMultipart(client, created.job_id, [first, second]))).toBe('queued');
    });

    it('a list without an uploaded part answers 400 naming it and deletes nothing', async () => {
      const created = await createMultipart(client, { file_size: 11 * MIB, part_size: 5 * MIB });
      const first = await putPart(client, created, 1, new Uint8Array(5 * MIB));
      const second = await putPart(client, created, 2, new Uint8Array(5 * MIB));
      const third = await putPart(client, created, 3, silentWav(1));
      for (const [listed, missingPart] of [
        [[first, third], 2],
        [[second, third], 1],
        [[first, second], 3],
      ] as const) {
        const response = await completeMultipart(client, created.job_id, listed);
        const { errors } = expectProblem(response, 400, 'invalid_parts');
        expect(errors).toEqual([
          { field: 'parts', message: expect.stringContaining(`Part ${missingPart} `) },
        ]);
      }
      expect((await client.job(created.job_id)).status).toBe('processing');
      const all = [third, first, second];
      expect(statusOf(await completeMultipart(client, created.job_id, all))).toBe('queued');
    });

    it('a list with a part missing that was never uploaded answers 400 naming it, and the part can be uploaded', async () => {
      const created = await createMultipart(client, { file_size: 11 * MIB, part_size: 5 * MIB });
      const first = await putPart(client, created, 1, new Uint8Array(5 * MIB));
      const third = await putPart(client, created, 3, silentWav(1));
      const response = await completeMultipart(client, created.job_id, [first, third]);
      const message = 'Part 2 is missing: PUT it, then list every part from 1.';
      expect(expectProblem(response, 400, 'invalid_parts').errors).toEqual([{ field: 'parts', message }]);
      const second = await putPart(client, created, 2, new Uint8Array(5 * MIB));
      const all = await completeMultipart(client, created.job_id, [first, second, third]);
      expect(statusOf(all)).toBe('queued');
    });

    it('an earlier part of another size than part_size answers 400 naming it and can be uploaded again', async () => {
      const created = await createMultipart(client, { file_size: 13 * MIB, part_size: 6 * MIB });
      const uploadedParts = [
        await putPart(client, created, 1, new Uint8Array(6 * MIB)),
        await putPart(client, created, 3, silentWav(1)),
      ];
      const short = await putPart(client, created, 2, new Uint8Array(1_000));
      const response = await completeMultipart(client, created.job_id, [...uploadedParts, short]);
      const message = 'Part 2 has 1000 bytes; every part but the last must have 6291456. PUT it again.';
      expect(expectProblem(response, 400, 'invalid_parts').errors).toEqual([
        { field: 'parts.2.part_number', message },
      ]);
      expect((await client.job(created.job_id)).status).toBe('processing');
      const replacement = await putPart(client, created, 2, new Uint8Array(6 * MIB));
      expect(statusOf(await completeMultipart(client, created.job_id, [...uploadedParts, replacement]))).toBe(
        'queued',
      );
    });

    it('a malformed list answers 422 and names the field', async () => {
      const { job_id } = await createMultipart(client, { file_size: 1 });
      const etag = '"x"';
      const expectRejectedList = async (parts: unknown, ...fields: string[]) =>
        expectInvalidFields(await completeMultipart(client, job_id, parts), ...fields);
      for (const parts of [undefined, null, [], {}, 'x', 7]) await expectRejectedList(parts, 'parts');
      await expectRejectedList(
        Array.from({ length: 10_001 }, (_, index) => ({ part_number: index + 1, etag })),
        'parts',
      );
      await expectRejectedList([{ part_number: 1 }], 'parts.0.etag');
      await expectRejectedList([{ etag }], 'parts.0.part_number');
      await expectRejectedList([{ part_number: 1, etag }, null, []], 'parts.1', 'parts.2');
      await expectRejectedList([{ part_number: '1', etag: 5 }], 'parts.0.part_number', 'parts.0.etag');
      await expectRejectedList(
        [{ part_number: 10_001, etag: '\u0000' }],
        'parts.0.part_number',
        'parts.0.etag',
      );
      expectInvalidFields(
        await client.post('/upload/multipart/complete', { parts: [{ part_number: 1, etag }] }),
        'job_id',
      );
    });

    it('an upload without bytes answers 400', async () => {
      const created = await createMultipart(client, { file_size: 1 });
      const unknownParts = [{ part_number: 1, etag: `"${'a'.repeat(64)}"` }];
      expectProblem(await completeMultipart(client, created.job_id, unknownParts), 400, 'invalid_parts');
      const parts = [await putPart(client, created, 1, new Uint8Array())];
      expectProblem(await completeMultipart(client, created.job_id, parts), 400, 'upload_incomplete');
      expect(await client.job(created.job_id)).toMatchObject({ status: 'failed', failed_stage: 'upload' });
    });

    it('a completion of a single upload answers 400, of an unknown or foreign job 404', async () => {
      const parts = [{ part_number: 1, etag: 'x' }];
      const single = await client.create({ file_size: 1 });
      expectProblem(await completeMultipart(client, single.job_id, parts), 400, 'upload_type_mismatch');
      const { job_id } = await createMultipart(client, { file_size: 1 });
      const otherClient = await service.client((await service.openAccount(100)).api_key);
      for (const id of [job_id, UNKNOWN])
        expectProblem(await completeMultipart(otherClient, id, parts), 404, 'job_not_found');
    });
  });
}
