import { setTimeout as pause } from 'node:timers/promises';
import type { DependencyHealth } from '@app/runtime';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Turns callers away before the door closes: for a while everything is answered as ever, but `/health/ready` says no,
 * and every answer closes its connection, so that nobody sends another request on one that is about to go.
 */
export class ConnectionDrainer {
  private draining = false;

  constructor(
    private readonly drainSeconds: number,
    private readonly health: Pick<DependencyHealth, 'drain'>,
  ) {}

  /** To be called before the server listens. */
  attach(adapter: FastifyAdapter): void {
    adapter.getInstance().addHook('onRequest', (_: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (this.draining) void reply.header('connection', 'close');
      done();
    });
  }

  async drain(): Promise<void> {
    this.draining = true;
    this.health.drain();
    await pause(this.drainSeconds * 1_000);
  }
}
