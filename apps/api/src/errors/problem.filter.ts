import { PROBLEM_CONTENT_TYPE, type ServiceError, toProblem } from '@app/errors';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lingerThenClose, senderIsGone } from '../storage/refused-body.js';
import { toServiceError } from './to-service-error.js';

/** The one place where an error becomes an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (senderIsGone(request.raw)) return void reply.hijack();
    const error = toServiceError(thrown);
    report(request, error);
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    lingerThenClose(request.raw);
    if (error.retryAfter !== undefined) void reply.header('retry-after', error.retryAfter);
    void reply.status(error.status).type(PROBLEM_CONTENT_TYPE).send(toProblem(error, request.id));
  }
}

function report(request: FastifyRequest, error: ServiceError): void {
  if (error.status === 500) request.log.error({ error: error.cause ?? error }, 'request failed');
  else if (error.status === 503) request.log.warn({ error: error.cause ?? error }, 'dependency away');
  else request.log.debug({ code: error.code, detail: error.detail }, 'request refused');
}
