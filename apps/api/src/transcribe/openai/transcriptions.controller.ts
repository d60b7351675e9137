import { Readable } from 'node:stream';
import { AllowApiKeyAsBearerToken, type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { ServiceError } from '@app/errors';
import { Controller, HttpCode, Inject, Logger, Post, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { RequestConcurrencyLimiters } from '../../admission/request-concurrency-limiters.js';
import { streamTranscriptionEvents } from './render/stream-transcription-events.js';
import { ApiCreateTranscription } from './transcriptions.openapi.js';
import { TranscribedChunkReader } from './transcribed-chunk-reader.js';
import { TranscriptionsService } from './transcriptions.service.js';

@ApiTags('openai')
@AllowApiKeyAsBearerToken()
@Controller('v1/audio/transcriptions')
export class TranscriptionsController {
  private readonly logger = new Logger(TranscriptionsController.name);

  constructor(
    private readonly service: TranscriptionsService,
    private readonly chunks: TranscribedChunkReader,
    private readonly admission: RequestConcurrencyLimiters,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Post()
  @HttpCode(200)
  @RateLimited('transcribe')
  @ApiCreateTranscription()
  async transcribe(
    @CurrentCaller() caller: Caller,
    @Req() { raw, body }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | StreamableFile> {
    this.admission.streams.holdUntilClosed(caller.accountId, reply.raw);
    const disconnected = abortOnDisconnect(reply);
    const form = { headers: raw.headers, body };
    const { jobId, params, options } = await this.service.createJobFromForm(caller, form, (id) => {
      // An automatic retry would be charged again.
      void reply.headers({ 'x-job-id': id, 'x-should-retry': 'false' });
    });
    if (params.stream) {
      const transcript = this.service.waitForDeltas(caller, jobId, disconnected);
      transcript.catch((error: unknown) => this.logStreamError(error, jobId, disconnected));
      const heartbeatMs = this.options.streams.heartbeatSeconds * 1_000;
      const source = this.chunks.openSource(caller, jobId, options);
      const events = streamTranscriptionEvents(transcript, heartbeatMs, source);
      return new StreamableFile(Readable.from(events), { type: 'text/event-stream; charset=utf-8' });
    }
    const { contentType, body: text } = await this.service.waitForTranscription(
      caller,
      jobId,
      params,
      disconnected,
    );
    void reply.type(contentType);
    return text;
  }

  /** Errors within a stream bypass the exception filter. */
  private logStreamError(error: unknown, jobId: string, disconnected: AbortSignal): void {
    if (disconnected.aborted || error instanceof ServiceError) return;
    this.logger.error(error, `response of job ${jobId} aborted`);
  }
}

/** Aborts when the client disconnects. Call before the first await. */
function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}
