import { type RequestSpan, startRequestSpan } from '@app/runtime';
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
  fastify.addHook('onRequest', (request: FastifyRequest, _: FastifyReply, done: () => void) => {
    if (isOperationalRoute(request)) return done();
    const span = startRequestSpan(request.headers, {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'none',
      'zephyr.request_id': request.id,
    });
    spans.set(request, span);
    span.run(done);
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    spans.get(request)?.end(`${request.method} ${request.routeOptions.url ?? 'none'}`, reply.statusCode);
    done();
  });
}
