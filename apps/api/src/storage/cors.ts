import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED_HEADERS = 'ETag, Content-Range, Accept-Ranges, Content-Disposition';

/** Lets pages of these origins read the answer. An address carries its own permission, so no cookies are involved. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): boolean {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return false;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', EXPOSED_HEADERS);
  return true;
}

/** What a browser asks before a PUT or a ranged GET from another origin. */
export function sendPreflightResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): void {
  if (allowOrigin(request, reply, origins)) {
    reply.header('access-control-allow-methods', 'GET, HEAD, PUT');
    reply.header('access-control-allow-headers', 'content-type, range, if-range');
    reply.header('access-control-max-age', '600');
  }
  reply.code(204).send();
}
