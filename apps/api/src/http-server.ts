import { randomUUID } from 'node:crypto';
import type { RequestWithCaller } from '@app/auth';
import { ServiceError } from '@app/errors';
import type { Foundation } from '@app/runtime';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { refusalOf } from './errors/refusal.js';
import { answerUnreadable, ignoreExpectations } from './errors/unreadable-request.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Fastify as the API wants it: request ids, one log line a request, bounded parameters. */
export function httpServer({ logger }: Pick<Foundation, 'logger'>): FastifyAdapter {
  const adapter = new FastifyAdapter({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }: { headers: Record<string, unknown> }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    forceCloseConnections: 'idle',
    // What still comes while it closes is served, and its connection closed: the parts it needs go last.
    return503OnClosing: false,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 1_024 },
    frameworkErrors: (_: unknown, request: FastifyRequest, reply: FastifyReply) =>
      refuseAddress(request, reply),
    clientErrorHandler: answerUnreadable,
  });
  ignoreExpectations(adapter.getInstance().server);
  return adapter;
}

/** An address that cannot be decoded reaches no route and none of Nest's filters. */
function refuseAddress(request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = refusalOf(new ServiceError('not_found'), request);
  void reply.code(status).header('x-request-id', request.id).headers(headers).send(body);
}

/** A server that closes waits for its open requests: an upload may take hours, so what is open after `graceMs` is cut. */
export function boundClosing(adapter: FastifyAdapter, graceMs: number): void {
  const fastify = adapter.getInstance();
  fastify.addHook('preClose', (done: () => void) => {
    setTimeout(() => fastify.server.closeAllConnections(), graceMs).unref();
    done();
  });
}

/** Every answer carries its request id; every request is logged and measured once, without its query (it may hold a signature). */
export function observeRequests(adapter: FastifyAdapter, metrics: ServiceMetrics): void {
  const fastify = adapter.getInstance();
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { method } = request;
    const status = reply.statusCode;
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    const { caller } = request as unknown as RequestWithCaller;
    const path = request.url.split('?')[0];
    request.log.info(
      { method, path, status, ms: Math.round(reply.elapsedTime), account: caller?.accountId },
      'request',
    );
    done();
  });
}
