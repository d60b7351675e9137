import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Relative, so that they also hold where a proxy serves the API below a path of its own. */
const REDIRECTS = { '/': 'docs', '/docs/': '../docs' };

/**
 * Addresses that people try lead to the reference. They are routes of Fastify's: Nest takes a path with a slash at its end
 * for the one without.
 */
export function registerReferenceRedirects(adapter: FastifyAdapter): void {
  for (const [path, location] of Object.entries(REDIRECTS))
    adapter.getInstance().get(path, (_: FastifyRequest, reply: FastifyReply) => {
      void reply.redirect(location, 302);
    });
}
