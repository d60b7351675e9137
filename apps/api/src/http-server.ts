import { randomUUID } from 'node:crypto';
import type { RequestWithCaller } from '@app/auth';
import { ServiceError } from '@app/errors';
import { type Foundation, type LogFields, withLogFields } from '@app/runtime';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { answerOtherMethods } from './errors/allowed-methods.js';
import { refusalOf } from './errors/refusal.js';
import { PRIVATE_HEADERS } from './errors/private-headers.js';
import { answerUnreadable, ignoreExpectations } from './errors/unreadable-request.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';
import { isOperationalRoute } from './operational-routes.js';

/** Paths of which an answer depends on the key. */
const KEYED = /^(?:\/api)?\/v1\//;

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Fastify as the API wants it: request ids, one log line a request, bounded parameters. */
export function httpServer({ logger }: Pick<Foundation, 'logger'>): FastifyAdapter {
  const adapter = new FastifyAdapter({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The request id is among the fields that every line of the request has.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
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
  const fastify = adapter.getInstance();
  ignoreExpectations(fastify.server);
  addCommonHeaders(fastify);
  answerOtherMethods(fastify);
  return adapter;
}

/**
 * What every answer carries unless its route says otherwise: the id of the request, and that no cache keeps what was
 * answered to one key, or shows it to another.
 */
function addCommonHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    void reply.headers({ ...PRIVATE_HEADERS, 'x-request-id': request.id });
    if (KEYED.test(request.url)) void reply.header('vary', 'X-API-Key, Authorization');
    done();
  });
}

/** An address that cannot be decoded reaches no route and none of Nest's filters. */
export function refuseAddress(request: FastifyRequest, reply: FastifyReply): void {
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

/** Every request is logged and measured once, without its query (it may hold a signature). */
export function observeRequests(adapter: FastifyAdapter, metrics: ServiceMetrics): void {
  const fastify = adapter.getInstance();
  const fieldsOf = new WeakMap<FastifyRequest, LogFields>();
  fastify.addHook('onRequest', (request: FastifyRequest, _: FastifyReply, done: () => void) => {
    withLogFields({ request_id: request.id }, (fields) => {
      fieldsOf.set(request, fields);
      done();
    });
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { method } = request;
    const status = reply.statusCode;
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    const { caller } = request as unknown as RequestWithCaller;
    const path = request.url.split('?')[0];
    const account_id = caller?.accountId;
    const ms = Math.round(reply.elapsedTime);
    // Probes come every second, callers now and then.
    const level = isOperationalRoute(request) ? 'debug' : 'info';
    request.log[level]({ ...fieldsOf.get(request), method, path, status, ms, account_id }, 'request');
    done();
  });
}
