import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { Foundation } from '@app/runtime';
import { Drain } from './drain.js';
import { httpServer } from './http-server.js';

function drainable(seconds: number) {
  const adapter: FastifyAdapter = httpServer({ logger: pino({ level: 'silent' }) } as Foundation);
  const unready = vi.fn<() => void>();
  const drain = new Drain(seconds, { drain: unready });
  drain.watch(adapter);
  const fastify = adapter.getInstance();
  fastify.get('/', () => 'as ever');
  return { drain, unready, ask: () => fastify.inject('/') };
}

describe('Drain', () => {
  it('answers as ever meanwhile, says that it is not ready, and closes connections', async () => {
    const { drain, unready, ask } = drainable(0.1);
    expect((await ask()).headers['connection']).not.toBe('close');
    expect(unready).not.toHaveBeenCalled();
    const begun = performance.now();
    const drained = drain.run();
    const answer = await ask();
    expect([answer.statusCode, answer.body, answer.headers['connection']]).toEqual([200, 'as ever', 'close']);
    expect(unready).toHaveBeenCalledOnce();
    await drained;
    expect(performance.now() - begun).toBeGreaterThan(90);
  });
});
