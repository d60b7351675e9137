import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Relative, for proxies that serve the API below a path. */
const REDIRECTS = { '/': 'docs', '/docs/': '../docs' };

/** Redirects to the reference page. Registered with Fastify, because Nest ignores a trailing slash. */
export function registerReferenceRedirects(adapter: FastifyAdapter): void {
  for (const [path, location] of Object.entries(REDIRECTS))
    adapter.getInstance().get(path, (_: FastifyRequest, reply: FastifyReply) => {
      void reply.redirect(location, 302);
    });
}
