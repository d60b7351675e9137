import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { withReadableListenErrors, type resolveHealthHostAndSetting } from '@app/runtime';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOperationalRoute, sendNotFound } from './http-adapter.js';

/**
 * Serves health checks and metrics on a second port; the public port then answers 404 to them. It closes after the
 * public port, so that a proxy sees the process drain.
 */
export class ExclusiveHealthAndMetricsPort {
  private readonly server: Server;

  /** Construct before the adapter listens. */
  constructor(
    adapter: FastifyAdapter,
    private readonly port: number,
  ) {
    const fastify = adapter.getInstance();
    this.server = createServer((request, response) => fastify.routing(request, response));
    fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (isOperationalRoute(request) === (request.raw.socket.localPort === port)) done();
      else sendNotFound(request, reply);
    });
    fastify.addHook('onClose', async () => {
      this.server.close();
      this.server.closeAllConnections();
    });
  }

  /** @throws Error that names the setting to change */
  async listen(from: ReturnType<typeof resolveHealthHostAndSetting>): Promise<void> {
    await withReadableListenErrors({ port: this.port, portSetting: 'HEALTH_PORT', ...from }, () => {
      this.server.listen(this.port, from.host);
      return once(this.server, 'listening');
    });
  }
}
