import { type ArgumentsHost, Catch, type ExceptionFilter, Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { loadConfig } from '@app/config';
import { StageQueues } from '@app/jobs';
import { OBJECT_STORE_TOKEN } from '@app/storage';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DependencyHealthRegistry } from './dependency-health-registry.js';
import { HealthAndMetricsModule } from './health-and-metrics.module.js';

let app: NestFastifyApplication;
afterEach(() => app.close());

const well = () => Promise.resolve();
const rejectUnavailable = () => Promise.reject(new Error('secret host refused'));
type Check = () => Promise<unknown>;

/** A program that renders every error in its own way. */
@Catch()
class CustomErrorRendering implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<FastifyReply>().code(500).send('an error');
  }
}

async function program({
  database = well,
  queue = well,
  storage = well,
}: { database?: Check; queue?: Check; storage?: Check } = {}): Promise<void> {
  const providers = [
    { provide: DataSource, useValue: { driver: { master: { query: database } } } },
    { provide: StageQueues, useValue: { ping: queue } },
    { provide: OBJECT_STORE_TOKEN, useValue: { ping: storage } },
  ];
  @Global()
  @Module({ providers, exports: providers.map(({ provide }) => provide) })
  class Parts {}
  @Module({
    imports: [
      Parts,
      HealthAndMetricsModule.forRoot(new Registry(), { program: 'api', config: loadConfig({}) }),
    ],
  })
  class Program {}
  app = await NestFactory.create<NestFastifyApplication>(Program, new FastifyAdapter(), { logger: false });
  app.useGlobalFilters(new CustomErrorRendering());
  await app.init();
}

const UP = { status: 'up' };
const DOWN = { status: 'down', message: 'does not answer' };
const DEGRADED = { ...DOWN, status: 'degraded' };
const ready = async () => {
  const response = await app.inject('/health/ready');
  return { code: response.statusCode, body: response.json<unknown>() };
};

describe('/health/ready', () => {
  it('returns 200 and ok when every dependency is up', async () => {
    await program();
    const details = { database: UP, queue: UP, storage: UP };
    expect(await ready()).toEqual({ code: 200, body: { status: 'ok', info: details, error: {}, details } });
  });

  it.each(['queue', 'storage'])('returns 200 and degraded when the %s is down', async (name) => {
    await program({ [name]: rejectUnavailable });
    const { code, body } = await ready();
    expect(code).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      error: {},
      details: { database: UP, [name]: DEGRADED },
    });
    expect(JSON.stringify(body)).not.toContain('secret host');
  });

  it('returns 200 and degraded, with its own message, when an optional check fails', async () => {
    await program();
    app
      .get(DependencyHealthRegistry)
      .registerOptionalCheck('installation', rejectUnavailable, 'is of another store');
    expect(await ready()).toMatchObject({
      code: 200,
      body: {
        status: 'degraded',
        details: { installation: { status: 'degraded', message: 'is of another store' } },
      },
    });
  });

  it('returns 503 when Postgres is down, whatever error filter the program uses', async () => {
    await program({ database: rejectUnavailable, queue: rejectUnavailable });
    expect(await ready()).toEqual({
      code: 503,
      body: {
        status: 'error',
        info: { queue: DEGRADED, storage: UP },
        error: { database: DOWN },
        details: { database: DOWN, queue: DEGRADED, storage: UP },
      },
    });
  });

  it('returns 503 when a dependency that the program requires is down', async () => {
    await program();
    app.get(DependencyHealthRegistry).registerRequiredCheck('consumers', rejectUnavailable);
    expect(await ready()).toMatchObject({
      code: 503,
      body: { status: 'error', details: { queue: UP, consumers: DOWN } },
    });
  });

  it('returns 200 and degraded while the program has set a degraded message', async () => {
    await program();
    app.get(DependencyHealthRegistry).setDegradedMessage('schema', 'is older than this program');
    const schema = { status: 'degraded', message: 'is older than this program' };
    expect(await ready()).toMatchObject({ code: 200, body: { status: 'degraded', details: { schema } } });
    app.get(DependencyHealthRegistry).setDegradedMessage('schema', null);
    expect((await ready()).body).toMatchObject({ status: 'ok' });
  });

  it('returns 503 from the moment draining starts', async () => {
    await program();
    expect((await ready()).code).toBe(200);
    app.get(DependencyHealthRegistry).startDraining();
    expect(await ready()).toMatchObject({
      code: 503,
      body: { status: 'error', error: { process: { status: 'down', message: 'is being stopped' } } },
    });
  });

  it('runs one check per dependency for 200 requests', async () => {
    const checks = { database: vi.fn(well), queue: vi.fn(well), storage: vi.fn(well) };
    await program(checks);
    const answers = await Promise.all(Array.from({ length: 100 }, ready));
    for (let request = 0; request < 100; request += 1) answers.push(await ready());
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
    // A slow machine may need more than the second for which a result is shared.
    for (const check of Object.values(checks)) expect(check.mock.calls.length).toBeLessThanOrEqual(5);
  });
});
