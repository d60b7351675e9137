import type { ServiceError } from '@app/errors';
import { DependencyOutageLog } from '@app/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { scheduleDisconnectUnlessBodyEnds, isClientDisconnected } from '../request-body/client-disconnect.js';
import { toErrorResponse } from './error-response.js';
import { toServiceError } from './to-service-error.js';

/** Renders every error of a route, except those of `/objects`. */
@Catch()
export class ErrorResponseFilter implements ExceptionFilter {
  constructor(
    @Inject(DependencyOutageLog) private readonly outages: Pick<DependencyOutageLog, 'reportFailedRequest'>,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (isClientDisconnected(request.raw)) return void reply.hijack();
    const error = toServiceError(thrown);
    this.logError(request, error);
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    scheduleDisconnectUnlessBodyEnds(request.raw);
    const { status, headers, body } = toErrorResponse(error, request);
    void reply.status(status).headers(headers).send(body);
  }

  private logError(request: FastifyRequest, error: ServiceError): void {
    if (error.code === 'internal_error') request.log.error({ error: error.cause ?? error }, 'request failed');
    else if (error.cause !== undefined && error.status === 503) this.outages.reportFailedRequest(error.cause);
    else request.log.debug({ code: error.code, detail: error.detail }, 'request rejected');
  }
}
