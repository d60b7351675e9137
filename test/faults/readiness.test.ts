import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { type ApiResponse, Client, type CreatedJob, expectStatus } from '../e2e/support/client.js';
import { expectProblem } from '../e2e/support/problem.js';
import { until } from '../e2e/support/until.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { HaProxy } from './support/haproxy.js';
import { System } from './support/system.js';

const ENDED_MS = 60_000;
const STORE_MEBIBYTES = 64;
const CALLERS = 4;
/** Failed health checks after which HAProxy stops routing to a server. */
const CHECKS_UNTIL_DOWN = 5;

interface Readiness {
  code: number;
  status: string;
  down: string[];
}

const disk = await mountSmallDisk(STORE_MEBIBYTES);
const skipReason = typeof disk === 'string' ? disk : null;
if (skipReason !== null) console.log(`Skipped a read-only store: ${skipReason}.`);

describe('two APIs behind HAProxy, which checks /health/ready', () => {
  let system: System;
  let proxy: HaProxy;
  let client: Client;

  beforeAll(async () => {
    const dataDirs = typeof disk === 'string' ? {} : { objects: disk.path };
    system = await System.start({ queue: 'redis', apis: 2, processors: 1, dataDirs });
    proxy = await HaProxy.start(system.apiPorts);
    client = new Client(proxy.url, (await system.client()).apiKey);
  });
  afterAll(async () => {
    await proxy?.stop();
    await system?.stop();
    if (typeof disk !== 'string') await disk.remove();
  });

  const create = () => client.create({ file_size: silentWav(0.3).length });
  const put = ({ upload_url, content_type }: CreatedJob): Promise<ApiResponse> =>
    client.put(upload_url.replace(system.baseUrl, proxy.url), silentWav(0.3), content_type);
  const submit = async (): Promise<CreatedJob> => {
    const created = await create();
    expectStatus(200, await put(created));
    expect(expectStatus(200, await client.complete(created.job_id))).toEqual({ status: 'queued' });
    return created;
  };
  const expectCompleted = async (...jobs: CreatedJob[]) => {
    await system.waitUntilAllEnded(ENDED_MS);
    for (const { job_id } of jobs) expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
  };

  /** The readiness of every API, requested without the proxy. */
  const readReadiness = (): Promise<Readiness[]> =>
    Promise.all(
      system.apiPorts.map(async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
        const body = (await response.json()) as {
          status: string;
          details: Record<string, { status: string }>;
        };
        return {
          code: response.status,
          status: body.status,
          down: Object.keys(body.details).filter((name) => body.details[name]?.status !== 'up'),
        };
      }),
    );
  const countHealthChecks = (): Promise<number[]> =>
    Promise.all(
      system.apiPorts.map(async (port) => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const sums = [...text.matchAll(/zephyr_http_request_seconds_count\{.*\/health\/ready.*\} (\d+)/g)];
        return sums.reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );
  /** Until each API has detected the fault, and HAProxy has checked each often enough to stop routing to it. */
  const waitUntilDetected = async (dependency: string) => {
    await until(`every API reports ${dependency} as down`, async () =>
      (await readReadiness()).every(({ down }) => down.includes(dependency)),
    );
    const before = await countHealthChecks();
    await until('HAProxy has checked every API several times', async () =>
      (await countHealthChecks()).every((count, at) => count >= (before[at] ?? 0) + CHECKS_UNTIL_DOWN),
    );
  };
  const waitUntilInService = () =>
    until('HAProxy has every API in service', async () =>
      (await proxy.readServers()).every(({ status }) => status === 'UP'),
    );

  it('guarantee 9: jobs are accepted and read while Redis is killed, and complete when it recovers', async () => {
    const before = await submit();
    await expectCompleted(before);
    await system.dependencies.redis?.stop();
    await waitUntilDetected('queue');
    const meanwhile = await submit();
    expect(await client.job(meanwhile.job_id)).toMatchObject({ status: 'processing' });
    expect(await client.job(before.job_id)).toMatchObject({ status: 'completed' });
    expect((await client.send('GET', '/api/v1/jobs')).status).toBe(200);
    expect(await readReadiness()).toEqual(
      system.apiPorts.map(() => ({ code: 200, status: 'degraded', down: ['queue'] })),
    );
    await system.dependencies.redis?.restart();
    await expectCompleted(meanwhile);
    await until('every API reports that it is healthy', async () =>
      (await readReadiness()).every(({ status }) => status === 'ok'),
    );
  });

  it.skipIf(skipReason !== null)(
    'jobs are created and read while the store is read-only, and uploads continue afterwards',
    async () => {
      if (typeof disk === 'string') return;
      const before = await submit();
      await expectCompleted(before);
      disk.remount('ro');
      try {
        await waitUntilDetected('storage');
        const created = await create();
        expectProblem(await put(created), 503, 'service_unavailable');
        const { download_url, status } = await client.job(before.job_id);
        expect(status).toBe('completed');
        const url = (download_url ?? '').replace(system.baseUrl, proxy.url);
        expect((await client.download(url)).status).toBe(200);
        expect((await readReadiness()).map(({ code, status: state }) => ({ code, status: state }))).toEqual(
          system.apiPorts.map(() => ({ code: 200, status: 'degraded' })),
        );
        disk.remount('rw');
        await until('the upload is accepted', async () => (await put(created)).status === 200);
        expectStatus(200, await client.complete(created.job_id));
        await expectCompleted(created);
      } finally {
        disk.remount('rw');
      }
    },
  );

  it('no API is ready while Postgres is unavailable, and each is ready when it recovers', async () => {
    const { postgres } = system.dependencies.proxies;
    postgres.setFault('cut');
    try {
      await until('HAProxy has no API in service', async () =>
        (await proxy.readServers()).every(({ status, checkCode }) => status === 'DOWN' && checkCode === 503),
      );
      for (const { code, status, down } of await readReadiness()) {
        expect({ code, status }).toEqual({ code: 503, status: 'error' });
        expect(down).toContain('database');
      }
    } finally {
      postgres.setFault('open');
    }
    await waitUntilInService();
    await expectCompleted(await submit());
  });

  it('no request fails after SIGTERM, because HAProxy removes the API before it closes', async () => {
    const load = { isRunning: true, succeeded: 0, failed: [] as string[] };
    const callers = Array.from({ length: CALLERS }, async () => {
      while (load.isRunning) {
        const response = await client.send('GET', '/api/v1/jobs?limit=1').catch(String);
        if (typeof response !== 'string' && response.status === 200) load.succeeded += 1;
        else load.failed.push(typeof response === 'string' ? response : String(response.status));
      }
    });
    for (const api of system.apis) {
      await until('requests succeed', () => load.succeeded > 0);
      expect(await api.stop()).toEqual({ code: 0, signal: null });
      load.succeeded = 0;
      await until('requests succeed at the other API', () => load.succeeded > 0);
      await api.restart();
      await waitUntilInService();
    }
    load.isRunning = false;
    await Promise.all(callers);
    expect(load.failed).toEqual([]);
  });
});
