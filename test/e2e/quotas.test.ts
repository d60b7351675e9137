import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, type Client, expectStatus } from './support/client.js';
import { expectProblem } from './support/problem.js';
import type { Account } from './support/running-service.js';
import { silentWav } from './support/audio.js';
import { Service } from './support/service.js';
import { startSlowPut } from './support/slow-put.js';

const MIB = 2 ** 20;
const PENDING_UPLOADS = 3;
const SIGNED_MIB = 64;

describe('quotas of an account', () => {
  let service: Service;
  let hostile: Account;
  let client: Client;
  let honest: Client;

  beforeAll(async () => {
    service = await Service.start({
      MAX_PENDING_UPLOADS_PER_ACCOUNT: String(PENDING_UPLOADS),
      MAX_PENDING_BYTES_PER_ACCOUNT: '300MiB',
      MAX_STORED_AUDIO_BYTES_PER_ACCOUNT: '10GiB',
      MAX_VOCABULARY_BYTES_PER_ACCOUNT: '8000',
    });
    hostile = await service.openAccount(1_000);
    client = await service.client(hostile.api_key);
    honest = await service.client((await service.openAccount(1_000)).api_key);
  });
  afterAll(() => service?.stop());

  function expectQuotaExceeded(response: ApiResponse, detail: RegExp): void {
    expect(expectProblem(response, 429)).toMatchObject({ code: 'quota_exceeded' });
    expect(expectProblem(response, 429).detail).toMatch(detail);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  it('a further upload is rejected with 429 until another one of the account ends, and other accounts create jobs', async () => {
    const ids: string[] = [];
    for (let count = 0; count < PENDING_UPLOADS; count += 1)
      ids.push((await client.create({ file_size: 10 })).job_id);
    for (const route of ['/upload', '/upload/multipart/create'])
      expectQuotaExceeded(await client.post(route, { file_size: 10 }), /3 jobs that wait for their upload/);
    await honest.create({ file_size: 10 });
    for (const job_id of ids) expectStatus(200, await client.post('/jobs/cancel', { job_id }));
    await expect.poll(async () => (await client.post('/upload', { file_size: 10 })).status).toBe(200);
  });

  it('uploads are signed for the declared size and a tolerance, which count as pending bytes', async () => {
    const other = await service.client((await service.openAccount(1_000)).api_key);
    const created = await other.create({ file_size: 100 * MIB });
    expectQuotaExceeded(
      await other.post('/upload', { file_size: 100 * MIB }),
      /bytes in upload URLs of jobs that wait for their upload/,
    );
    expectStatus(200, await other.post('/jobs/cancel', { job_id: created.job_id }));

    const small = await honest.create({ file_size: 10 });
    const signed = SIGNED_MIB * MIB + 10;
    const tooLarge = startSlowPut(small.upload_url, small.content_type, signed + 1);
    await tooLarge.send(new Uint8Array(1));
    expect(expectProblem(await tooLarge.pendingResponse, 413).code).toBe('file_too_large');
    tooLarge.disconnect();
    const larger = silentWav(1);
    expectStatus(200, await honest.put(small.upload_url, larger, small.content_type));
    expectStatus(200, await honest.complete(small.job_id));
  });

  it('an upload that alone is more than a quota is rejected for good, with what it counts', async () => {
    const other = await service.client((await service.openAccount(1_000)).api_key);
    const response = await other.post('/upload', { file_size: 200 * MIB });
    const problem = expectProblem(response, 413);
    expect(problem.code).toBe('file_too_large');
    expect(problem.detail).toContain(`counts as ${400 * MIB} bytes. The account may have ${300 * MIB} bytes`);
    expect(response.headers.get('retry-after')).toBeNull();
    // Its parts are signed for their own size.
    expectStatus(200, await other.post('/upload/multipart/create', { file_size: 200 * MIB }));
  });

  it('vocabularies of open jobs are limited, and long ones leave the database when their jobs end', async () => {
    const account = await service.openAccount(1_000);
    const other = await service.client(account.api_key);
    const custom_vocabulary = Array.from({ length: 90 }, (_, index) => `${'a'.repeat(50)}${index}`);
    const { job_id } = await other.create({ file_size: 10, custom_vocabulary });
    expectQuotaExceeded(
      await other.post('/upload', { file_size: 10, custom_vocabulary }),
      /custom_vocabulary/,
    );
    expectStatus(200, await other.post('/jobs/cancel', { job_id }));
    const stored = 'SELECT options FROM job WHERE account_id = $1 AND options::text LIKE $2';
    expect(await service.query(stored, [account.account_id, '%aaa%'])).toEqual([]);
    await expect
      .poll(async () => (await other.post('/upload', { file_size: 10, custom_vocabulary })).status)
      .toBe(200);
  });

  it('an operator sets other quotas for an account, which the audit log shows', async () => {
    const { account_id: id, api_key } = await service.openAccount(1_000);
    const other = await service.client(api_key);
    const rows = await service.adminJson<unknown[]>(
      'accounts',
      'quotas',
      id,
      '--pending-uploads',
      '1',
      '--json',
    );
    expect(rows).toContainEqual({ quota: 'pending_uploads', in_use: 0, limit: 1, from: 'account' });
    await other.create({ file_size: 10 });
    expectQuotaExceeded(await other.post('/upload', { file_size: 10 }), /may have 1 jobs/);
    await service.adminJson('accounts', 'quotas', id, '--reset', '--json');
    await expect.poll(async () => (await other.post('/upload', { file_size: 10 })).status).toBe(200);
    const events = await service.query<{ action: string }>(
      'SELECT action FROM audit_event WHERE account_id = $1 AND action LIKE $2',
      [id, '%quotas%'],
    );
    expect(events).toHaveLength(2);
  });
});
