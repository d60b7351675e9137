import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { expectProblem } from './support/problem.js';
import { runProgram } from './support/program.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

/** Two restarts of the API and a dozen commands, a process each. */
const TEST_TIMEOUT_MS = 300_000;

let service: Service;
beforeAll(async () => void (service = await Service.start()));
afterAll(() => service?.stop());

const runStep = (name: string) =>
  service.adminJson<{ accepted: number }>('secrets', 'service-secret', name, '--json');
const expectRejection = async (name: string) => {
  const { code, stdout, stderr } = await service.admin('secrets', 'service-secret', name);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
};
/** The launcher starts the API again. */
const restartApi = async () => {
  const earlier = await service.kill('api', 'SIGTERM');
  await until('the API runs again', async () => (await service.pidOf('api')) !== earlier);
  await service.waitUntilReady();
};

describe('operator commands with a single account', () => {
  it('need no --account', async () => {
    const secret = await service.adminJson<{ account_id: string; signing_secret: string }>(
      ...['webhooks', 'secret', 'reveal', '--json'],
    );
    expect(secret.signing_secret).toMatch(/^whsec_/);
    expect(await service.adminJson('credits', 'show', '--json')).toMatchObject({
      account_id: secret.account_id,
      balance: expect.any(Number),
    });
    const key = await service.adminJson<{ api_key: string }>('keys', 'create', '--name', 'a second one');
    expect((await (await service.client(key.api_key)).send('GET', '/api/v1/jobs')).status).toBe(200);
  });
});

describe('operator commands: rotation of a service secret in the data folder', () => {
  it(
    'add, use, rotate and drop work only in this order, keep keys and jobs, and invalidate signed URLs of the earlier secret',
    async () => {
      const path = join(service.dataDir, 'service-secret');
      const earlier = (await readFile(path, 'utf8')).trim();
      const client = await service.client();
      const { job_id, download_url } = await client.submit(silentWav(0.5));
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      const { signing_secret } = await service.adminJson<{ signing_secret: string }>(
        ...['webhooks', 'secret', 'reveal', '--json'],
      );

      expect(await expectRejection('use')).toMatch(/secrets service-secret add/);
      expect(await expectRejection('drop')).toMatch(/one secret only/);
      expect(await runStep('add')).toMatchObject({ accepted: 2 });
      expect(await expectRejection('add')).toMatch(/two secrets already/);
      expect(await runStep('use')).toMatchObject({ accepted: 2 });
      const [later, second] = (await readFile(path, 'utf8')).split('\n');
      expect([later === earlier, second]).toEqual([false, earlier]);
      expect(await expectRejection('drop')).toMatch(/secrets rotate first/);
      await restartApi();
      expect((await client.download(download_url)).status).toBe(200);

      expect(await service.adminJson('secrets', 'rotate', '--json')).toMatchObject({
        left: 0,
        service_secret: 'changed',
      });
      expect(await runStep('drop')).toMatchObject({ accepted: 1 });
      expect(await readFile(path, 'utf8')).toBe(later);
      await restartApi();
      expectProblem(await client.download(download_url), 403, 'signature_mismatch');
      expect((await client.download((await client.job(job_id)).download_url ?? '')).status).toBe(200);
      expect(await service.adminJson('webhooks', 'secret', 'reveal', '--json')).toMatchObject({
        signing_secret,
      });
    },
    TEST_TIMEOUT_MS,
  );

  it('rotation is rejected when SERVICE_SECRET is set', async () => {
    const env = { ...service.settings, SERVICE_SECRET: 'a secret of the environment, long enough' };
    const { code, stderr } = await runProgram('admin', ['secrets', 'service-secret', 'add'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^SERVICE_SECRET is set: change it where it is set .*\n$/);
  });
});
