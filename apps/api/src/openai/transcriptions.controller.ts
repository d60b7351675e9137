import { Readable } from 'node:stream';
import { AllowBearerToken, type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { ServiceError } from '@app/errors';
import { Controller, HttpCode, Inject, Logger, Post, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { Pressure } from '../pressure/pressure.js';
import { JobEnd } from './job-end.js';
import { answerEvents } from './render/answer-events.js';
import { render } from './render/render.js';
import { ApiTranscriptions } from './transcriptions.openapi.js';
import { TranscriptionsService } from './transcriptions.service.js';

@ApiTags('openai')
@AllowBearerToken()
@Controller('v1/audio/transcriptions')
export class TranscriptionsController {
  private readonly logger = new Logger(TranscriptionsController.name);

  constructor(
    private readonly service: TranscriptionsService,
    private readonly ends: JobEnd,
    private readonly pressure: Pressure,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** A form with audio in, its transcript out: the request is held until the job has ended. */
  @Post()
  @HttpCode(200)
  @RateLimited('transcribe')
  @ApiTranscriptions()
  async transcribe(
    @CurrentCaller() caller: Caller,
    @Req() { raw, body }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | StreamableFile> {
    this.pressure.streams.untilClosed(caller.keyId, reply.raw);
    const left = leaving(reply);
    const { jobId, wish } = await this.service.take(caller, { headers: raw.headers, body });
    // From here on there is a job: a client that tried again by itself would pay twice.
    void reply.headers({ 'x-job-id': jobId, 'x-should-retry': 'false' });
    const transcript = this.ends.transcript(caller, jobId, left);
    if (wish.stream) {
      transcript.catch((error: unknown) => this.report(error, jobId, left));
      const events = answerEvents(transcript, this.options.streams.heartbeatSeconds * 1_000);
      return new StreamableFile(Readable.from(events), { type: 'text/event-stream; charset=utf-8' });
    }
    const { contentType, body: answer } = await render(await transcript, wish);
    void reply.type(contentType);
    return answer;
  }

  /** An error that is told within a stream passes no filter. */
  private report(error: unknown, jobId: string, left: AbortSignal): void {
    if (left.aborted || error instanceof ServiceError) return;
    this.logger.error(error, `answer of job ${jobId} cut short`);
  }
}

/** Aborted when the client has gone. Told from the beginning, so that no leaving is missed. */
function leaving({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => left.abort());
  return left.signal;
}
