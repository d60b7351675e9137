import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { readClientAddress, type RequestWithCaller } from '@app/auth';
import { ServiceError } from '@app/errors';
import { type BootContext, type LogFields, withLogFields } from '@app/runtime';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { closeUnsentPipelinedResponses } from './admission/close-unsent-pipelined-responses.js';
import { registerAllowedMethodsHandler } from './errors/allowed-methods.js';
import { DEFAULT_RESPONSE_HEADERS } from './default-response-headers.js';
import { toErrorResponse } from './errors/error-response.js';
import { answerMalformedHttp, ignoreUnknownExpectHeaders } from './errors/malformed-http.js';
import type { ApiMetrics } from './metrics/api-metrics.js';

/** Paths whose responses depend on the API key. */
const KEY_DEPENDENT_PATH = /^(?:\/api)?\/v1\//;

/** Routes for proxies and monitoring. */
const OPERATIONAL_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

/** As proxies name it: the client went away before a response. It is not sent. */
const CLIENT_CLOSED_REQUEST = 499;

const REQUEST_ID_PATTERN = /^[\w-]{8,64}$/;

/**
 * Creates the Fastify adapter: request ids, bounded path parameters, error responses outside of routes.
 * @param trustedProxies addresses and CIDRs whose `X-Forwarded-For` names the client
 */
export function createHttpAdapter(
  { logger }: Pick<BootContext, 'logger'>,
  trustedProxies: readonly string[] = [],
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The request id is among the fields that every line of the request has.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: ({ headers }: { headers: Record<string, unknown> }) => {
      const requestId = headers['x-request-id'];
      return typeof requestId === 'string' && REQUEST_ID_PATTERN.test(requestId) ? requestId : randomUUID();
    },
    forceCloseConnections: 'idle',
    // Requests during shutdown are still served: dependencies close last.
    return503OnClosing: false,
    keepAliveTimeout: 65_000,
    // Node would answer without a problem document.
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: 1_024 },
    frameworkErrors: (_: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendNotFound(request, reply),
    clientErrorHandler: answerMalformedHttp,
  });
  const fastify = adapter.getInstance();
  ignoreUnknownExpectHeaders(fastify.server);
  closeUnsentPipelinedResponses(fastify.server);
  registerDefaultResponseHeaders(fastify);
  requireHostHeader(fastify);
  registerAllowedMethodsHandler(fastify);
  return adapter;
}

/**
 * Adds the headers of every response unless its route overrides them: the request id, no caching, and `Vary` on the
 * key.
 */
function registerDefaultResponseHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    void reply.headers({ ...DEFAULT_RESPONSE_HEADERS, 'x-request-id': request.id });
    if (KEY_DEPENDENT_PATH.test(request.url)) void reply.header('vary', 'X-API-Key, Authorization');
    done();
  });
}

/** As RFC 9112 (3.2) demands. */
function requireHostHeader(fastify: FastifyInstance): void {
  // After all hooks `onRequest`, which log and measure every request.
  fastify.addHook(
    'preParsing',
    (request: FastifyRequest, reply: FastifyReply, _body: unknown, done: () => void) => {
      if (request.raw.httpVersion !== '1.1' || request.headers.host !== undefined) return done();
      sendError(
        new ServiceError('malformed_request', { detail: 'A Host header is required.' }),
        request,
        reply,
      );
    },
  );
}

/** Answers 404 outside of Nest: an undecodable path reaches no route and no filter. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  sendError(new ServiceError('not_found'), request, reply);
}

function sendError(error: ServiceError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = toErrorResponse(error, request);
  void reply.code(status).header('x-request-id', request.id).headers(headers).send(body);
}

/** Closes all connections `graceMs` after shutdown begins: an upload could keep the server open for hours. */
export function forceCloseConnectionsOnShutdown(adapter: FastifyAdapter, graceMs: number): void {
  const fastify = adapter.getInstance();
  fastify.addHook('preClose', (done: () => void) => {
    setTimeout(() => fastify.server.closeAllConnections(), graceMs).unref();
    done();
  });
}

/**
 * Logs and measures every request once, without its query, which may contain a signature: when its response is sent, or when
 * its connection ends before.
 */
export function registerRequestTelemetry(adapter: FastifyAdapter, metrics: ApiMetrics): void {
  const fastify = adapter.getInstance();
  const logFieldsByRequest = new WeakMap<FastifyRequest, LogFields>();
  const record = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const logFields = logFieldsByRequest.get(request);
    if (!logFieldsByRequest.delete(request)) return;
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    const { caller } = request as unknown as RequestWithCaller;
    const path = request.url.split('?')[0];
    const account_id = caller?.accountId;
    const ms = Math.round(reply.elapsedTime);
    const address = readClientAddress(request);
    // Probes are too frequent for info.
    const level = isOperationalRoute(request) ? 'debug' : 'info';
    request.log[level]({ ...logFields, method, path, status, ms, account_id, address }, 'request');
  };
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    withLogFields({ request_id: request.id }, (fields) => {
      logFieldsByRequest.set(request, fields);
      // The log line names the trace of the request.
      const asyncContext = new AsyncResource('Request');
      const recordClosed = () =>
        record(request, reply, reply.raw.headersSent ? reply.statusCode : CLIENT_CLOSED_REQUEST);
      reply.raw.once('close', () => asyncContext.runInAsyncScope(recordClosed));
      done();
    });
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    record(request, reply, reply.statusCode);
    done();
  });
}

/** Whether the route is for proxies and monitoring, not for callers. */
export function isOperationalRoute({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.url !== undefined && OPERATIONAL_ROUTES.has(routeOptions.url);
}
