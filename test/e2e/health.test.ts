import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { synthesizeSpeech } from './support/audio.js';
import { type ApiResponse, type Client, expectStatus } from './support/client.js';
import { expectContiguous } from './support/events.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

interface Health {
  status: string;
  details: Record<string, { status: string }>;
}

let redis: PrivateRedis;
let service: Service;
let client: Client;

beforeAll(async () => {
  redis = await startRedis();
  service = await Service.start({ REDIS_URL: redis.url, REDELIVER_SECONDS: '5', SWEEP_SECONDS: '1' });
  client = await service.client();
});
afterAll(async () => {
  await service?.stop();
  await redis?.stop();
});

const get = (path: string) => client.send('GET', path);
const readReadiness = async () => {
  const { status, text } = await get('/health/ready');
  return { status, health: JSON.parse(text) as Health };
};
const listStates = ({ details }: Health) =>
  Object.fromEntries(Object.entries(details).map(([name, { status }]) => [name, status]));

describe('health', () => {
  it('/health/live answers 200 while the process runs', async () => {
    expect(expectStatus(200, await get('/health/live'))).toEqual({ status: 'ok' });
  });

  it('/health/ready names every dependency', async () => {
    const { status, health } = await readReadiness();
    expect(status).toBe(200);
    expect(listStates(health)).toEqual({ database: 'up', queue: 'up', storage: 'up', installation: 'up' });
  });
});

describe('a database whose schema version changes at run time', () => {
  it('readiness is degraded and names the schema until it matches again', async () => {
    const database = new pg.Client(await service.databaseUrl());
    await database.connect();
    try {
      const { rows } = await database.query<{ timestamp: string; name: string }>(
        'DELETE FROM schema_migration WHERE id = (SELECT max(id) FROM schema_migration) RETURNING timestamp, name',
      );
      const { status, health } = await until('readiness reports the schema', async () => {
        const response = await readReadiness();
        return response.health.status === 'degraded' && response;
      });
      expect(status).toBe(200);
      expect(health.details).toMatchObject({
        schema: { status: 'degraded', message: 'is older than this program' },
      });
      await database.query('INSERT INTO schema_migration (timestamp, name) VALUES ($1, $2)', [
        rows[0]?.timestamp,
        rows[0]?.name,
      ]);
      await until('the service is ready again', async () => (await readReadiness()).health.status === 'ok');
    } finally {
      await database.end();
    }
  });
});

describe('guarantee 9: the queue is down', () => {
  it('readiness is degraded and names the queue, and jobs created meanwhile complete after it returns empty', async () => {
    await redis.stop();
    const { status, health } = await until('the service is degraded', async () => {
      const response = await readReadiness();
      return response.health.status === 'degraded' && response;
    });
    expect(status).toBe(200);
    expect(listStates(health)).toEqual({
      database: 'up',
      queue: 'degraded',
      storage: 'up',
      installation: 'up',
    });
    expect(JSON.stringify(health)).not.toMatch(/ECONN|127\.0\.0\.1|redis:|\bat /);
    expect((await get('/health/live')).status).toBe(200);
    expect((await get('/metrics')).status).toBe(200);

    const { job_id } = await client.submit(await synthesizeSpeech('Good morning.'));
    expect((await client.job(job_id)).status).toBe('processing');
    const events = client.events(job_id);

    await redis.restart();
    const streamEvents = await events;
    expectContiguous(streamEvents);
    expect(streamEvents.at(-1)?.name).toBe('completed');
    await until('the service is ready again', async () => (await readReadiness()).health.status === 'ok');
  });
});

describe('/metrics', () => {
  it('returns the metrics of the service in the Prometheus text format', async () => {
    await client.create({ file_size: 10 });
    const readSample = ({ text }: ApiResponse, sample: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(sample))
          ?.split(' ')
          .at(-1) ?? 'absent',
      );
    // Counts of rows are a few seconds old.
    const countUploading = async () =>
      readSample(await get('/metrics'), 'zephyr_jobs_open{state="uploading"');
    await expect.poll(countUploading, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    // The work files of a job are deleted after its end.
    const idle = [
      'zephyr_jobs_open{state="queued"',
      'zephyr_outbox_due',
      'zephyr_streams{state="served"',
      'zephyr_queue_waiting{queue="chunk"',
    ];
    const isQueueBusy = async () => {
      const response = await get('/metrics');
      return idle.filter((sample) => readSample(response, sample) !== 0);
    };
    await expect.poll(isQueueBusy, { timeout: 30_000 }).toEqual([]);
    const secondResponse = await get('/metrics');
    const value = (sample: string) => readSample(secondResponse, sample);
    expect(secondResponse.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(secondResponse.text).toMatch(
      /zephyr_http_request_seconds_count\{[^}]*route="\/api\/v1\/upload"[^}]*\} [1-9]/,
    );
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(secondResponse.text).not.toContain(await service.apiKey());
  });
});
