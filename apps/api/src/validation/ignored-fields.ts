import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

export const IGNORED_FIELDS_HEADER = 'x-ignored-fields';

const MAX_LISTED_FIELDS = 20;
const MAX_FIELD_NAME_LENGTH = 64;

const headerValues = new WeakMap<IncomingMessage, string>();

/**
 * Formats `X-Ignored-Fields`: comma-separated names, percent-encoded. Long names are truncated; `...` marks omitted names.
 * @returns undefined when nothing was ignored
 */
export function formatIgnoredFields(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const listed = names
    .slice(0, MAX_LISTED_FIELDS)
    .map((name) =>
      encodeURIComponent(name.slice(0, MAX_FIELD_NAME_LENGTH).toWellFormed()).slice(0, MAX_FIELD_NAME_LENGTH),
    );
  return [...listed, ...(names.length > MAX_LISTED_FIELDS ? ['...'] : [])].join(', ');
}

/** Records the ignored fields of a request for its response, which may be an error. */
export function recordIgnoredFields(request: IncomingMessage, names: readonly string[]): void {
  const value = formatIgnoredFields(names);
  if (value !== undefined) headerValues.set(request, value);
}

/** Adds `X-Ignored-Fields` to responses. Call once, before the application listens. */
export function registerIgnoredFieldsHeader(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const value = headerValues.get(request.raw);
    if (value !== undefined) void reply.header(IGNORED_FIELDS_HEADER, value);
    done();
  });
}
