import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findJsonLines } from '../support/json-lines.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { runProgram } from './support/program.js';
import { Service } from './support/service.js';

interface Finding {
  name: string;
  status: string;
  detail: string;
  advice: string | null;
}

/** Advances the clock by an hour, as on a machine without NTP. */
const CLOCK_AHEAD = '--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now.call(Date)+3600000;';

let redis: PrivateRedis;
let service: Service;
/** Of a service as it should be. */
let findings: Map<string, Finding>;
/** Of Redis with an eviction policy, a machine whose clock is wrong, and a public URL that leads elsewhere. */
let findingsOfMistakes: Map<string, Finding>;

beforeAll(async () => {
  redis = await startRedis();
  service = await Service.start({ REDIS_URL: redis.url });
  findings = await runDoctor({ PUBLIC_URL: service.baseUrl });
  const connection = new Redis(redis.url);
  await connection.config('SET', 'maxmemory-policy', 'allkeys-lru');
  connection.disconnect();
  findingsOfMistakes = await runDoctor({
    PUBLIC_URL: `${service.baseUrl}/docs`,
    NODE_OPTIONS: CLOCK_AHEAD,
  });
});
afterAll(async () => {
  await service?.stop();
  await redis?.stop();
});

async function runDoctor(settings: Record<string, string> = {}): Promise<Map<string, Finding>> {
  const { stdout } = await runProgram('admin', ['doctor', '--json'], { ...service.settings, ...settings });
  return new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.name, finding]));
}

describe('doctor', () => {
  it('reports a Redis with an eviction policy and names the setting', () => {
    expect(findings.get('queue')).toMatchObject({ status: 'ok' });
    expect(findingsOfMistakes.get('queue')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('maxmemory-policy allkeys-lru') as string,
      advice: expect.stringContaining('noeviction') as string,
    });
  });

  it('reports a wrong service secret as the cause instead of the database', async () => {
    const findingsOfSecret = await runDoctor({ SERVICE_SECRET: 'x'.repeat(64) });
    expect(findingsOfSecret.has('database')).toBe(false);
    expect(findingsOfSecret.get('service secret')).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('secrets.json') as string,
    });
  });

  it('compares clocks and checks that PUBLIC_URL leads to this installation', () => {
    expect(findings.get('clock')).toMatchObject({ status: 'ok' });
    expect(findings.get('public URL')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('leads here') as string,
    });
    expect(findingsOfMistakes.get('clock')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^this machine is 3(59|60)\d s ahead of Postgres$/) as string,
      advice: expect.stringContaining('chrony') as string,
    });
    expect(findingsOfMistakes.get('public URL')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('another program') as string,
      advice: expect.stringContaining('strip /docs') as string,
    });
  });

  it('reports missing encryption keys, as every program does at startup', async () => {
    expect(findings.get('encryption')).toMatchObject({ status: 'ok' });
    const key = { ENCRYPTION_KEYS: 'a key that the programs do not have' };
    const rotateArgs = ['webhooks', 'secret', 'rotate', '--json'];
    expect(await runProgram('admin', rotateArgs, { ...service.settings, ...key })).toMatchObject({ code: 0 });
    expect((await runDoctor(key)).get('encryption')).toMatchObject({ status: 'ok' });
    expect((await runDoctor()).get('encryption')).toMatchObject({
      status: 'problem',
      detail: expect.stringMatching(/^missing: key [0-9a-f]{12}, needed by 1 of webhook_secret /) as string,
      advice: expect.stringContaining('ENCRYPTION_KEYS') as string,
    });
    await service.terminate();
    await service.restart();
    const listWarnings = async () =>
      findJsonLines(await service.log())
        .filter(({ msg }) => String(msg).includes('encryption keys missing'))
        .map(({ program }) => String(program))
        .toSorted();
    await expect.poll(listWarnings).toEqual(['api', 'processor']);
  });

  it('recommends HEALTH_PORT when the public port answers no health checks', () => {
    expect(findingsOfMistakes.get('api')).toMatchObject({
      status: 'warning',
      advice: expect.stringContaining('HEALTH_PORT') as string,
    });
  });
});
