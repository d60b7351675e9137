import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED_HEADERS = 'ETag, Content-Range, Accept-Ranges, Content-Disposition';

/**
 * Allows pages of the origins to read the response. No cookies are involved, because signed URLs carry their own
 * authorization.
 * @returns whether the origin is allowed
 */
export function setCorsHeaders(
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

/** Browsers request it before a PUT or a ranged GET from another origin. */
export function sendPreflightResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): void {
  if (setCorsHeaders(request, reply, origins)) {
    reply.header('access-control-allow-methods', 'GET, HEAD, PUT');
    reply.header('access-control-allow-headers', 'content-type, range, if-range');
    reply.header('access-control-max-age', '600');
  }
  reply.header('allow', 'GET, HEAD, OPTIONS, PUT').code(204).send();
}
