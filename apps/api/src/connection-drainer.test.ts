import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { BootContext } from '@app/runtime';
import { ConnectionDrainer } from './connection-drainer.js';
import { createHttpAdapter } from './http-adapter.js';

function createDrainer(seconds: number) {
  const adapter: FastifyAdapter = createHttpAdapter({ logger: pino({ level: 'silent' }) } as BootContext);
  const startDraining = vi.fn<() => void>();
  const drainer = new ConnectionDrainer(seconds, { startDraining });
  drainer.attach(adapter);
  const fastify = adapter.getInstance();
  fastify.get('/', () => 'as ever');
  return { drain: drainer, startDraining, sendRequest: () => fastify.inject('/') };
}

describe('ConnectionDrainer', () => {
  it('keeps answering while it drains, reports not ready, and closes each connection after its response', async () => {
    const { drain: drainer, startDraining, sendRequest } = createDrainer(0.1);
    expect((await sendRequest()).headers['connection']).not.toBe('close');
    expect(startDraining).not.toHaveBeenCalled();
    const startedAt = performance.now();
    const drained = drainer.drain();
    const response = await sendRequest();
    expect([response.statusCode, response.body, response.headers['connection']]).toEqual([
      200,
      'as ever',
      'close',
    ]);
    expect(startDraining).toHaveBeenCalledOnce();
    await drained;
    expect(performance.now() - startedAt).toBeGreaterThan(90);
  });
});
