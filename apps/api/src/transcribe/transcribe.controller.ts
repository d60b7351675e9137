import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import {
  Controller,
  HttpCode,
  Logger,
  type MessageEvent,
  Query,
  Req,
  RequestMethod,
  Res,
  Sse,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, EMPTY, type Observable } from 'rxjs';
import { ApiIdempotencyKeyHeader } from '../idempotency/idempotency.openapi.js';
import {
  CurrentScopedIdempotencyKey,
  type ScopedIdempotencyKey,
} from '../idempotency/scoped-idempotency-key.js';
import { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import {
  IGNORED_FIELDS_HEADER,
  formatIgnoredFields,
  recordIgnoredFields,
} from '../validation/ignored-fields.js';
import { ApiTranscribe } from './transcribe.openapi.js';
import { findIgnoredQueryParameters } from './parse-job-option-strings.js';
import { TranscribeJobCreationService } from './transcribe-job-creation.service.js';
import { TranscribeStreamService } from './transcribe-stream.js';

@ApiTags('transcribe')
@Controller('api/v1/transcribe')
export class TranscribeController {
  private readonly logger = new Logger(TranscribeController.name);

  constructor(
    private readonly service: TranscribeJobCreationService,
    private readonly streams: TranscribeStreamService,
    private readonly admission: RequestConcurrencyLimiters,
  ) {}

  // Unlimited pending data: the transcript is a single event, however long.
  @Sse('', { method: RequestMethod.POST, maxPendingDataLength: 0 })
  @HttpCode(200)
  @RateLimited('transcribe')
  @ApiIdempotencyKeyHeader()
  @ApiTranscribe()
  async transcribe(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
    @CurrentScopedIdempotencyKey() idempotentRequest: ScopedIdempotencyKey | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Observable<MessageEvent>> {
    const { body, raw } = request;
    recordIgnoredFields(raw, findIgnoredQueryParameters(query));
    this.admission.streams.holdUntilClosed(caller.accountId, reply.raw);
    const jobId = await this.service.createJobFromBody(
      caller,
      { query, headers: raw.headers, body },
      idempotentRequest,
    );
    void reply.header('x-job-id', jobId);
    // SSE responses bypass Fastify's onSend hooks.
    const ignored = formatIgnoredFields(findIgnoredQueryParameters(query));
    if (ignored !== undefined) void reply.header(IGNORED_FIELDS_HEADER, ignored);
    return this.streams
      .open(caller, jobId)
      .pipe(catchError((error: unknown) => this.abortResponse(reply, jobId, error)));
  }

  /** Aborts the connection: a clean end would look complete. */
  private abortResponse(reply: FastifyReply, jobId: string, error: unknown): Observable<never> {
    this.logger.error(error, `stream of job ${jobId} aborted`);
    reply.raw.destroy();
    return EMPTY;
  }
}
