import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

export const IGNORED_FIELDS_HEADER = 'x-ignored-fields';

const MOST_NAMED = 20;
const NAME_CHARACTERS = 64;

const ignored = new WeakMap<IncomingMessage, string>();

/**
 * The value of `X-Ignored-Fields`: names separated by commas, what is not safe in a header percent-encoded. A long name
 * is cut, and `...` stands for what is left out.
 * @returns undefined where nothing was ignored
 */
export function ignoredFieldsValue(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names
    .slice(0, MOST_NAMED)
    .map((name) =>
      encodeURIComponent(name.slice(0, NAME_CHARACTERS).toWellFormed()).slice(0, NAME_CHARACTERS),
    );
  return [...shown, ...(names.length > MOST_NAMED ? ['...'] : [])].join(', ');
}

/** Remembers what was ignored of the body of a request, for its answer, which may be a refusal. */
export function noteIgnoredFields(request: IncomingMessage, names: readonly string[]): void {
  const value = ignoredFieldsValue(names);
  if (value !== undefined) ignored.set(request, value);
}

/** Names what was ignored in the header of the answer. To be called once, before the application starts to listen. */
export function sendIgnoredFields(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const value = ignored.get(request.raw);
    if (value !== undefined) void reply.header(IGNORED_FIELDS_HEADER, value);
    done();
  });
}
