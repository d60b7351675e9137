import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { BootContext } from '@app/runtime';
import { ConnectionDrainer } from './connection-drainer.js';
import { createHttpAdapter } from './http-adapter.js';

function createDrainer(seconds: number) {
  const adapter: FastifyAdapter = createHttpAdapter({ logger: pino({ level: 'silent' }) } as BootContext);
  const startDraining = vi.fn<() => void>();
  const drain = new ConnectionDrainer(seconds, { startDraining });
  drain.attach(adapter);
  const fastify = adapter.getInstance();
  fastify.get('/', () => 'as ever');
  return { drain, startDraining, sendRequest: () => fastify.inject('/') };
}

describe('ConnectionDrainer', () => {
  it('keeps answering while it drains, reports not ready, and closes each connection after its response', async () => {
    const { drain, startDraining, sendRequest } = createDrainer(0.1);
    expect((await sendRequest()).headers['connection']).not.toBe('close');
    expect(startDraining).not.toHaveBeenCalled();
    const begun = performance.now();
    const drained = drain.drain();
    const answer = await sendRequest();
    expect([answer.statusCode, answer.body, answer.headers['connection']]).toEqual([200, 'as ever', 'close']);
    expect(startDraining).toHaveBeenCalledOnce();
    await drained;
    expect(performance.now() - begun).toBeGreaterThan(90);
  });
});
