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
import { catchError, EMPTY, mergeMap, type Observable, takeUntil, throwError } from 'rxjs';
import { ApiRepeatable } from '../idempotency/idempotency.openapi.js';
import { MayRepeat, type Repeat } from '../idempotency/repeat.js';
import { Pressure } from '../pressure/pressure.js';
import { KeyWatch } from '../streaming/key-watch.js';
import {
  IGNORED_FIELDS_HEADER,
  ignoredFieldsValue,
  noteIgnoredFields,
} from '../validation/ignored-fields.js';
import { ApiTranscribe } from './transcribe.openapi.js';
import { ignoredParameters } from './transcribe-query.js';
import { TranscribeService } from './transcribe.service.js';
import { TranscribeStream } from './transcribe-stream.js';

@ApiTags('transcribe')
@Controller('api/v1/transcribe')
export class TranscribeController {
  private readonly logger = new Logger(TranscribeController.name);

  constructor(
    private readonly service: TranscribeService,
    private readonly streams: TranscribeStream,
    private readonly keys: KeyWatch,
    private readonly pressure: Pressure,
  ) {}

  /** Audio in, events and the transcript out, on one connection. */
  // No limit of what may wait for the client: a transcript is one event, however long, and the last.
  @Sse('', { method: RequestMethod.POST, maxPendingDataLength: 0 })
  @HttpCode(200)
  @RateLimited('transcribe')
  @ApiRepeatable()
  @ApiTranscribe()
  async transcribe(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
    @MayRepeat() repeat: Repeat | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Observable<MessageEvent>> {
    const { body, raw } = request;
    noteIgnoredFields(raw, ignoredParameters(query));
    this.pressure.streams.untilClosed(caller.keyId, reply.raw);
    const jobId = await this.service.take(caller, { query, headers: raw.headers, body }, repeat);
    void reply.header('x-job-id', jobId);
    // A stream is written past the hooks of Fastify.
    const ignored = ignoredFieldsValue(ignoredParameters(query));
    if (ignored !== undefined) void reply.header(IGNORED_FIELDS_HEADER, ignored);
    const revoked = mergeMap(() => throwError(() => new Error('The key was revoked.')));
    return this.streams.open(caller, jobId).pipe(
      takeUntil(this.keys.revocation(caller.keyId).pipe(revoked)),
      catchError((error: unknown) => this.cut(reply, jobId, error)),
    );
  }

  /** Ending in order would say that this was all. */
  private cut(reply: FastifyReply, jobId: string, error: unknown): Observable<never> {
    this.logger.error(error, `stream of job ${jobId} cut off`);
    reply.raw.destroy();
    return EMPTY;
  }
}
