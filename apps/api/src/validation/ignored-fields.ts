import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

export const IGNORED_FIELDS_HEADER = 'x-ignored-fields';

const MOST_NAMED = 20;
const NAME_CHARACTERS = 64;

const headerValues = new WeakMap<IncomingMessage, string>();

/**
 * The value of `X-Ignored-Fields`: names separated by commas, what is not safe in a header percent-encoded. A long name
 * is cut, and `...` stands for what is left out.
 * @returns undefined where nothing was ignored
 */
export function formatIgnoredFields(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const listed = names
    .slice(0, MOST_NAMED)
    .map((name) =>
      encodeURIComponent(name.slice(0, NAME_CHARACTERS).toWellFormed()).slice(0, NAME_CHARACTERS),
    );
  return [...listed, ...(names.length > MOST_NAMED ? ['...'] : [])].join(', ');
}

/** Remembers what was ignored of the body of a request, for its answer, which may be a refusal. */
export function recordIgnoredFields(request: IncomingMessage, names: readonly string[]): void {
  const value = formatIgnoredFields(names);
  if (value !== undefined) headerValues.set(request, value);
}

/** Names what was ignored in the header of the answer. To be called once, before the application starts to listen. */
export function registerIgnoredFieldsHeader(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const value = headerValues.get(request.raw);
    if (value !== undefined) void reply.header(IGNORED_FIELDS_HEADER, value);
    done();
  });
}
