import { ServiceError } from '@app/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scheduleDisconnectUnlessBodyEnds } from '../request-body/client-disconnect.js';
import { toErrorResponse } from './error-response.js';

interface RoutePath {
  pattern: RegExp;
  methods: Set<string>;
}

export class AllowedMethodsByPath {
  private readonly paths = new Map<string, RoutePath>();

  /** @param url as routes are declared: `/jobs/:job_id/stream`, `/objects/*` */
  add(url: string, method: string | string[]): void {
    let routePath = this.paths.get(url);
    if (!routePath)
      this.paths.set(url, (routePath = { pattern: toPathPattern(url), methods: new Set(['OPTIONS']) }));
    for (const name of [method].flat()) routePath.methods.add(name);
  }

  /** Sorted; empty for an unknown path. @param path without its query */
  forPath(path: string): string[] {
    const matching = [...this.paths.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].toSorted();
  }
}

function toPathPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escapeRegExp(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * Answers an unsupported method with 405 and `Allow`, and `OPTIONS` with 204 and `Allow`. No key is needed. Call before
 * the routes are registered.
 */
export function registerAllowedMethodsHandler(fastify: FastifyInstance): void {
  const allowed = new AllowedMethodsByPath();
  fastify.addHook('onRoute', ({ url, method }) => allowed.add(url, method));
  // After all hooks `onRequest`, which log and measure every request.
  fastify.addHook(
    'preParsing',
    (request: FastifyRequest, reply: FastifyReply, _body: unknown, done: () => void) => {
      const methods = request.is404 ? allowed.forPath(request.url.split('?')[0] ?? '') : [];
      if (methods.length === 0) return done();
      const allow = methods.join(', ');
      if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
      const error = new ServiceError('method_not_allowed', {
        detail: `${request.method} is not a method of this path. It has: ${allow}.`,
      });
      scheduleDisconnectUnlessBodyEnds(request.raw);
      const { status, headers, body } = toErrorResponse(error, request);
      void reply
        .code(status)
        .headers({ ...headers, allow })
        .send(body);
    },
  );
}
