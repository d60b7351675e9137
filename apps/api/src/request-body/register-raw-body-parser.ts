import type { FastifyInstance } from 'fastify';

/** Of a form that Fastify can always read; never that of a request. */
const ANY_TYPE = 'application/x-unread';
const JSON_TYPE = 'application/json';

/**
 * Every body is handed over as the stream it is (`request.body` is the request itself), whatever its Content-Type, and
 * nothing of it is read: whoever takes it comes after the guards, counts, times and judges. What the caller declared is
 * in `request.raw.headers`. JSON is read where a handler asks for its `@Body()` (`json-body.ts`).
 * To be called once, before the application starts to listen.
 */
export function registerRawBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  fastify.addHook('onRequest', (request, _reply, done) => {
    // A type that is no type would be refused before any guard. The setter lays this over the headers as sent; it is
    // left out where there is nothing to hide, as every later look at the headers would pay for it.
    const { 'content-type': declared } = request.raw.headers;
    if (declared !== undefined && declared !== JSON_TYPE) request.headers = { 'content-type': ANY_TYPE };
    done();
  });
}
