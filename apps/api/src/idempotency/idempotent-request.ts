import type { RequestWithCaller } from '@app/auth';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseIdempotencyKey } from './parse-idempotency-key.js';

/** A request that its caller may repeat: the key, and the only place where it means something. */
export interface IdempotentRequest {
  accountId: string;
  route: string;
  key: string;
  /** Tells the caller that the answer is the one of an earlier request. */
  markReplayed(): void;
}

/** The request's `Idempotency-Key` as a `Repeat`; null without one. @throws ServiceError 422 when it is out of form. */
export const IdempotencyKeyHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest | null => {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & RequestWithCaller>();
    const key = parseIdempotencyKey(request.raw);
    if (key === null) return null;
    if (!request.caller) throw new Error('MayRepeat used on a route that asks for no key.');
    const route = request.routeOptions.url ?? '';
    const reply = http.getResponse<FastifyReply>();
    const markReplayed = () => void reply.header('idempotency-replayed', 'true');
    return { accountId: request.caller.accountId, route, key, markReplayed };
  },
);
