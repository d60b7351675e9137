import { RouteConfig } from '@nestjs/platform-fastify';
import { errorCodes, type FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by `@RawBody()`. */
    rawBody?: boolean;
  }
}

/** Only ever set by the hook below; a caller who sends it reaches the same parser on raw routes, and 415 elsewhere. */
const RAW_TYPE = 'application/x-raw-stream';

/**
 * The body of this route is handed over as the stream it is, whatever its Content-Type: `request.body` is a `Readable`.
 * No body limit applies: the handler counts. What the caller declared is in `request.raw.headers`.
 */
export function RawBody(): MethodDecorator {
  return RouteConfig({ rawBody: true });
}

/**
 * Makes `@RawBody()` work; to be called once, before the application starts to listen.
 * Fastify picks a body parser by Content-Type for all routes alike, so raw routes get a type of their own, and JSON
 * stays what it is everywhere else.
 */
export function registerRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // The setter lays these over the headers as sent, which stay in `request.raw`.
    if (request.routeOptions.config.rawBody === true) request.headers = { 'content-type': RAW_TYPE };
    done();
  });
  fastify.addContentTypeParser(RAW_TYPE, (request, payload, done) => {
    if (request.routeOptions.config.rawBody === true) done(null, payload);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}
