import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { registerRequestOfBody } from './request-of-body.js';

/** A valid type, so that Fastify never rejects a request by its Content-Type. */
const PLACEHOLDER_CONTENT_TYPE = 'application/x-unread';
const JSON_TYPE = 'application/json';

export interface RequestWithUnreadBody {
  /** As they were sent. */
  headers: IncomingHttpHeaders;
  /** The stream of the body. */
  body: unknown;
}

/**
 * Passes every body to the handler as an unread stream (`request.body` is the request itself), whatever its
 * Content-Type: it is read after the guards, with limits of size and time. The declared type is in
 * `request.raw.headers`. `JsonBodyValidationPipe` parses JSON for `@Body()` (`read-json-body.ts`).
 * Call once, before the application listens.
 */
export function registerUnreadBodyPassthrough(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if (payload instanceof IncomingMessage) registerRequestOfBody(payload, request);
    done(null, payload);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify would reject a malformed type before any guard. The setter merges this into the headers; it is skipped for
    // JSON because merged headers are slower to read.
    const { 'content-type': declared } = request.raw.headers;
    if (declared !== undefined && declared !== JSON_TYPE)
      request.headers = { 'content-type': PLACEHOLDER_CONTENT_TYPE };
    done();
  });
}
