import {
  DEFAULT_JOB_OPTIONS,
  type OpenJobQuotaAmounts,
  readOpenJobsUsageWithQuotaOverrides,
} from '@app/jobs';
import type { ObjectStore, PresignPartOptions } from '@app/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { MultipartCompletionAndAbortService } from '../../apps/api/src/uploads/multipart-completion-and-abort.service.js';
import { MultipartUploadCreationService } from '../../apps/api/src/uploads/multipart-creation.service.js';
import { createJobWorld, type World } from '../support/job-world.js';

const [MIB, GIB] = [2 ** 20, 2 ** 30];
const LIMITS = {
  uploadBytes: GIB,
  multipartBytes: 10 * GIB,
  multipartSeconds: 3_600,
  deadlineSeconds: 60,
} as ApiOptions;

let world: World;
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());

/** Keeps the sizes for which URLs are signed, and completes every upload with the given number of bytes. */
function createStore(signed: number[] = [], completedBytes = 0) {
  return {
    createMultipart: async () => 'upload',
    presignPart: async ({ maxBytes }: PresignPartOptions) => {
      signed.push(maxBytes ?? Infinity);
      return 'http://x/';
    },
    completeMultipart: async () => ({ size: completedBytes, etag: 'e', modifiedAt: new Date() }),
    delete: async () => undefined,
  } as unknown as ObjectStore;
}

async function createUpload(file_size: number, part_size?: number) {
  const [signed, admitted]: [number[], Partial<OpenJobQuotaAmounts>[]] = [[], []];
  const creation = new MultipartUploadCreationService(
    world.dataSource,
    createStore(signed),
    { forPendingJob: () => 'http://x/' } as never,
    { toValidatedRequest: async () => ({ options: DEFAULT_JOB_OPTIONS, metadata: null }) } as never,
    { assertCreditOrRecharge: async () => undefined } as never,
    {
      admit: (_: string, amounts: Partial<OpenJobQuotaAmounts>, create: () => unknown) => {
        admitted.push(amounts);
        return create();
      },
    } as never,
    LIMITS,
  );
  const caller = { accountId: await world.newAccount(), keyId: 'k' };
  const response = await creation.createUpload(caller, { file_size, ...(part_size && { part_size }) });
  return { caller, response, signed, admittedBytes: admitted[0]?.pendingBytes ?? 0 };
}

it.each([
  [10, 5 * GIB],
  [10, undefined],
  [100 * MIB, 5 * GIB],
  [33 * MIB, 16 * MIB],
  [6 * GIB, 5 * GIB],
])(
  'the parts of %i bytes in parts of %s are signed for no more than the quota counts',
  async (size, part) => {
    const { caller, response, signed, admittedBytes } = await createUpload(size, part);
    const total = signed.reduce((sum, bytes) => sum + bytes, 0);
    expect(total).toBeGreaterThanOrEqual(size);
    expect(total).toBeLessThanOrEqual(admittedBytes);
    expect(signed).toEqual(signed.map(() => response.part_size));
    expect(response.part_size).toBe(part ?? 16 * MIB);
    const read = await readOpenJobsUsageWithQuotaOverrides(world.dataSource, caller.accountId, LIMITS);
    expect(read?.usage.pendingBytes).toBe(admittedBytes);
  },
);

it('no upload counts more bytes than a file may have', async () => {
  const { admittedBytes } = await createUpload(9 * GIB, 4 * GIB);
  expect(admittedBytes).toBe(LIMITS.multipartBytes);
});

it('file_size does not limit what is completed, but the limit of the route does', async () => {
  const complete = async (bytes: number) => {
    const { caller, response } = await createUpload(10, 5 * GIB);
    const completion = new MultipartCompletionAndAbortService(
      world.dataSource,
      world.hooks,
      createStore([], bytes),
      { send() {} } as never,
      LIMITS,
    );
    const parts = [{ part_number: 1, etag: 'e' }];
    return completion.completeUpload(caller, { job_id: response.job_id, parts });
  };
  expect(await complete(100 * MIB)).toEqual({ status: 'queued' });
  expect(await complete(LIMITS.multipartBytes)).toEqual({ status: 'queued' });
  await expect(complete(LIMITS.multipartBytes + 1)).rejects.toMatchObject({ code: 'upload_too_large' });
});
