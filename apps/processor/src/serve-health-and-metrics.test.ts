import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { loadConfig } from '@app/config';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAndServeHealthAndMetrics } from './serve-health-and-metrics.js';

@Module({})
class Program {}

let taken: Server;
let port: number;
beforeEach(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  ({ port } = taken.address() as AddressInfo);
});
afterEach(() => void taken.close());

async function start(variables: Record<string, string>): Promise<void> {
  const app = await NestFactory.create(Program, new FastifyAdapter(), { logger: false, abortOnError: false });
  try {
    await startAndServeHealthAndMetrics(app, loadConfig(variables));
  } finally {
    await app.close();
  }
}

it('a port that another program has is reported with PROCESSOR_PORT', async () => {
  await expect(start({ PROCESSOR_PORT: String(port) })).rejects.toThrow(
    `port ${port} is taken by another program; set PROCESSOR_PORT to a free one.`,
  );
});

it.each([
  ['HOST', '192.0.2.1'],
  ['HOST', 'name.invalid'],
  ['HEALTH_HOST', '192.0.2.1'],
])('a %s of %s is reported with its setting', async (setting, host) => {
  await expect(start({ PROCESSOR_PORT: '0', [setting]: host })).rejects.toThrow(
    `${host} is no address of this machine; set ${setting} to one`,
  );
});

it('without a port the app starts', async () => {
  await expect(start({})).resolves.toBeUndefined();
});
