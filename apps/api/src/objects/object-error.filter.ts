import { DependencyOutageLog } from '@app/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger, Optional } from '@nestjs/common';
import { ServiceError } from '@app/errors';
import {
  InvalidSignedUrlError,
  InvalidObjectKeyError,
  ObjectNotFoundError,
  InvalidPartsError,
  RangeNotSatisfiableError,
  StoreUnavailableError,
} from '@app/storage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toErrorResponse } from '../errors/error-response.js';
import { BodyTooLargeError } from '../request-body/limit-body.js';
import { scheduleDisconnectUnlessBodyEnds, isClientDisconnected } from '../request-body/client-disconnect.js';

const RETRY_AFTER_SECONDS = 5;

function fromObjectError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof InvalidSignedUrlError)
    return new ServiceError(error.reason === 'expired' ? 'url_expired' : 'signature_mismatch');
  if (error instanceof InvalidObjectKeyError) return new ServiceError('signature_mismatch', { cause: error });
  if (error instanceof ObjectNotFoundError) return new ServiceError('object_not_found', { cause: error });
  if (error instanceof InvalidPartsError) return new ServiceError('upload_closed', { cause: error });
  if (error instanceof RangeNotSatisfiableError)
    return new ServiceError('range_not_satisfiable', { cause: error });
  if (error instanceof BodyTooLargeError)
    return new ServiceError('file_too_large', { detail: error.message });
  if (error instanceof StoreUnavailableError) {
    return new ServiceError('service_unavailable', {
      detail: 'The object store is not available.',
      cause: error,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
  return new ServiceError('internal_error', { cause: error });
}

/** Renders the errors of signed object URLs and of the object store. */
@Catch()
export class ObjectErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Objects');

  constructor(
    @Optional()
    @Inject(DependencyOutageLog)
    private readonly outages: Pick<DependencyOutageLog, 'reportFailedRequest'> | undefined,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (isClientDisconnected(request.raw)) return void reply.hijack();
    const serviceError = fromObjectError(error);
    // Without a cause it is a concurrency limit.
    if (error instanceof StoreUnavailableError) this.outages?.reportFailedRequest(error);
    else if (serviceError.status >= 500 && serviceError.cause !== undefined)
      this.logger.error({ err: serviceError.cause, code: serviceError.code }, serviceError.message);
    if (error instanceof RangeNotSatisfiableError)
      reply.header('content-range', `bytes */${error.size ?? '*'}`);
    scheduleDisconnectUnlessBodyEnds(request.raw);
    const { status, headers, body } = toErrorResponse(serviceError, request);
    reply.code(status).headers(headers).send(body);
  }
}
