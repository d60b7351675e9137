import { ServiceError } from '@app/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { closeAfterLinger } from '../request-body/lingering-close.js';
import { toErrorResponse } from './error-response.js';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/** The paths of all routes, with the methods that each of them has. */
export class AllowedMethods {
  private readonly paths = new Map<string, KnownPath>();

  /** @param url as routes are declared: `/jobs/:job_id/stream`, `/objects/*` */
  add(url: string, method: string | string[]): void {
    let routePath = this.paths.get(url);
    // Whatever path there is, it can be asked for its methods.
    if (!routePath)
      this.paths.set(url, (routePath = { pattern: patternOf(url), methods: new Set(['OPTIONS']) }));
    for (const name of [method].flat()) routePath.methods.add(name);
  }

  /** In alphabetical order; empty where no route has the path. @param path without its query */
  forPath(path: string): string[] {
    const found = [...this.paths.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].toSorted();
  }
}

function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escapeRegExp(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * Answers requests whose path has routes, but not with this method: 405 with `Allow`, and to `OPTIONS` an empty 204 with it.
 * Which methods there are is public, so no key is asked for. To be called before the routes are made.
 */
export function registerMethodNotAllowedHandler(fastify: FastifyInstance): void {
  const allowed = new AllowedMethods();
  fastify.addHook('onRoute', ({ url, method }) => allowed.add(url, method));
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const methods = request.is404 ? allowed.forPath(request.url.split('?')[0] ?? '') : [];
    if (methods.length === 0) return done();
    const allow = methods.join(', ');
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
    const error = new ServiceError('method_not_allowed', {
      detail: `${request.method} is not a method of this path. It has: ${allow}.`,
    });
    closeAfterLinger(request.raw);
    const { status, headers, body } = toErrorResponse(error, request);
    void reply
      .code(status)
      .headers({ ...headers, allow })
      .send(body);
  });
}
