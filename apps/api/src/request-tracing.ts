import { RequestSpan } from '@app/runtime';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOperationalRoute } from './http-adapter.js';

/**
 * A span for each request, except of probes and scrapes. Names the route and not the path, which may contain a signature.
 * Register it before hooks that log.
 */
export function registerRequestTracing(adapter: FastifyAdapter): void {
  const fastify = adapter.getInstance();
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (isOperationalRoute(request)) return done();
    const span = createRequestSpan(request);
    spans.set(request, span);
    // Without a response there is no `onResponse`.
    reply.raw.once('close', () => span.end());
    span.run(done);
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const span = spans.get(request);
    if (!span) return done();
    span.end(reply.statusCode);
    span.run(done);
  });
}

function createRequestSpan({ id, method, protocol, headers, routeOptions }: FastifyRequest): RequestSpan {
  const { url: route } = routeOptions;
  const size = Number(headers['content-length'] ?? Number.NaN);
  return new RequestSpan(route === undefined ? method : `${method} ${route}`, headers, {
    'http.request.method': method,
    'url.scheme': protocol,
    ...(route !== undefined && { 'http.route': route }),
    ...(Number.isSafeInteger(size) && { 'http.request.body.size': size }),
    'zephyr.request_id': id,
  });
}
