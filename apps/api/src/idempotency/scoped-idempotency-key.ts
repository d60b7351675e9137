import type { RequestWithCaller } from '@app/auth';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseIdempotencyKey } from './parse-idempotency-key.js';

/** An idempotency key with its scope: the account and the route. */
export interface ScopedIdempotencyKey {
  accountId: string;
  route: string;
  key: string;
  /** Sets the header `Idempotency-Replayed`. */
  markReplayed(): void;
}

/** The request with its `Idempotency-Key`; null without one. @throws ServiceError 422 for an invalid key */
export const CurrentScopedIdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): ScopedIdempotencyKey | null => {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & RequestWithCaller>();
    const key = parseIdempotencyKey(request.raw);
    if (key === null) return null;
    if (!request.caller) throw new Error('CurrentScopedIdempotencyKey used on a route without an API key.');
    const route = request.routeOptions.url ?? '';
    const reply = http.getResponse<FastifyReply>();
    const markReplayed = () => void reply.header('idempotency-replayed', 'true');
    return { accountId: request.caller.accountId, route, key, markReplayed };
  },
);
