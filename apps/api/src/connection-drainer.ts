import { setTimeout as pause } from 'node:timers/promises';
import type { DependencyHealthRegistry } from '@app/runtime';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Drains connections before shutdown: requests are still served, but `/health/ready` fails, so that load balancers stop
 * routing first, and every response closes its connection.
 */
export class ConnectionDrainer {
  private draining = false;

  constructor(
    private readonly drainSeconds: number,
    private readonly health: Pick<DependencyHealthRegistry, 'startDraining'>,
  ) {}

  /** Call before the server listens. */
  attach(adapter: FastifyAdapter): void {
    adapter.getInstance().addHook('onRequest', (_: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (this.draining) void reply.header('connection', 'close');
      done();
    });
  }

  async drain(): Promise<void> {
    this.draining = true;
    this.health.startDraining();
    await pause(this.drainSeconds * 1_000);
  }
}
