import { type ArgumentsHost, Catch, type ExceptionFilter, Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { JOB_QUEUE } from '@app/jobs';
import { OBJECT_STORE } from '@app/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { DependencyHealth } from './dependency-health.js';
import { HealthModule } from './health.module.js';

let app: NestFastifyApplication;
afterEach(() => app.close());

const well = { ping: () => Promise.resolve() };
const away = { ping: () => Promise.reject(new Error('secret host refused')) };

/** A program that renders every error in its own way. */
@Catch()
class OwnRendering implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<FastifyReply>().code(500).send('an error');
  }
}

async function program(queue: object): Promise<void> {
  const dataSource = { driver: { master: { query: () => Promise.resolve() } } };
  const providers = [
    { provide: DataSource, useValue: dataSource },
    { provide: JOB_QUEUE, useValue: queue },
    { provide: OBJECT_STORE, useValue: well },
  ];
  @Global()
  @Module({ providers, exports: providers.map(({ provide }) => provide) })
  class Parts {}
  @Module({ imports: [Parts, HealthModule.forRoot(new Registry())] })
  class Program {}
  app = await NestFactory.create<NestFastifyApplication>(Program, new FastifyAdapter(), { logger: false });
  app.useGlobalFilters(new OwnRendering());
  await app.init();
}

describe('/health/ready', () => {
  it('names every dependency when all answer', async () => {
    await program(well);
    const answer = await app.inject('/health/ready');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'ok',
      details: { database: { status: 'up' }, queue: { status: 'up' }, storage: { status: 'up' } },
    });
  });

  it('asks as well what a program adds of its own', async () => {
    await program(well);
    let working = true;
    app.get(DependencyHealth).watch('consumers', async () => {
      if (!working) throw new Error('stopped');
    });
    expect((await app.inject('/health/ready')).json()).toMatchObject({
      details: { consumers: { status: 'up' } },
    });
    working = false;
    const answer = await app.inject('/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      details: { queue: { status: 'up' }, consumers: { status: 'down' } },
    });
  });

  it('answers 503 and names what is away, however the program renders errors', async () => {
    await program(away);
    const answer = await app.inject('/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      status: 'error',
      details: { database: { status: 'up' }, queue: { status: 'down' } },
    });
    expect(answer.body).not.toContain('secret host');
  });
});
