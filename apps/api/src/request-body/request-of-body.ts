import type { IncomingMessage } from 'node:http';
import type { RequestWithCaller } from '@app/auth';
import type { FastifyRequest } from 'fastify';

/** What the guards have added to a request. */
export type GuardedRequest = FastifyRequest &
  RequestWithCaller & {
    session?: { userId: string };
    /** As in `ConsoleRequest`. */
    assertAccessUnchanged?: () => Promise<void>;
  };

const requests = new WeakMap<IncomingMessage, FastifyRequest>();

/** Nest passes only the stream of the body to pipes; what the guards know of the caller is in the request. */
export function registerRequestOfBody(body: IncomingMessage, request: FastifyRequest): void {
  requests.set(body, request);
}

/** Call after the guards. */
export function getRequestOfBody(body: IncomingMessage): GuardedRequest {
  const request = requests.get(body);
  if (!request) throw new Error('The body does not belong to a request of the application.');
  return request;
}
