import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Relative, for proxies that serve the API below a path. */
const LINKS = {
  api: 'api/v1',
  openai: 'v1',
  openapi: 'api/v1/openapi.json',
  guide: 'docs/guide',
  reference: 'docs',
  console: 'console',
  client: 'packages/zephyr-client.tgz',
  command_line: 'packages/zephyr-cli.tgz',
};

/** `/`: the console for browsers, an index for programs. Registered with Fastify, because Nest ignores a trailing slash. */
export function registerRootIndexAndDocsRedirect(
  fastify: FastifyInstance,
  { version }: { version: string },
): void {
  fastify.get('/', (request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('vary', 'accept');
    if ((request.headers.accept ?? '').includes('text/html')) void reply.redirect('console', 302);
    else void reply.send({ name: 'zephyr', version, ...LINKS });
  });
  fastify.get('/docs/', (_: FastifyRequest, reply: FastifyReply) => {
    void reply.redirect('../docs', 302);
  });
}
