import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { BootContext } from '@app/runtime';
import { ConnectionDrainer } from './connection-drainer.js';
import { createHttpAdapter } from './http-adapter.js';

function drainable(seconds: number) {
  const adapter: FastifyAdapter = createHttpAdapter({ logger: pino({ level: 'silent' }) } as BootContext);
  const unready = vi.fn<() => void>();
  const drain = new ConnectionDrainer(seconds, { drain: unready });
  drain.attach(adapter);
  const fastify = adapter.getInstance();
  fastify.get('/', () => 'as ever');
  return { drain, unready, ask: () => fastify.inject('/') };
}

describe('ConnectionDrainer', () => {
  it('keeps answering while it drains, reports not ready, and closes each connection after its response', async () => {
    const { drain, unready, ask } = drainable(0.1);
    expect((await ask()).headers['connection']).not.toBe('close');
    expect(unready).not.toHaveBeenCalled();
    const begun = performance.now();
    const drained = drain.drain();
    const answer = await ask();
    expect([answer.statusCode, answer.body, answer.headers['connection']]).toEqual([200, 'as ever', 'close']);
    expect(unready).toHaveBeenCalledOnce();
    await drained;
    expect(performance.now() - begun).toBeGreaterThan(90);
  });
});
