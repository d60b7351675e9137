import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Controller, type MessageEvent, Param, Req, Res, Sse } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EMPTY, type Observable, takeUntil } from 'rxjs';
import { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import { JobStreamService } from './job-stream.js';
import { AccessRevocationWatcher } from './access-revocation-watcher.js';
import { ApiJobStream } from './streaming.openapi.js';

/** A client that does not read is disconnected above this. */
const MAX_PENDING_CHARACTERS = 256 * 1024;

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobStreamController {
  constructor(
    private readonly streams: JobStreamService,
    private readonly revocations: AccessRevocationWatcher,
    private readonly admission: RequestConcurrencyLimiters,
  ) {}

  @Sse(':job_id/stream', { maxPendingDataLength: MAX_PENDING_CHARACTERS })
  @RateLimited('jobs.stream')
  @ApiJobStream()
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Req() { method, headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Observable<MessageEvent>> {
    const isAdmitted = this.admission.streams.tryHoldUntilClosed(caller.accountId, reply.raw);
    // Not `@Headers`: it would add a required parameter to the OpenAPI document.
    const lastEventId = headers['last-event-id']?.toString();
    const open = isAdmitted ? this.streams.open : this.streams.openAboveCapacity;
    const events = await open.call(this.streams, caller.accountId, jobId, lastEventId);
    // HEAD must not wait for an endless response.
    if (method === 'HEAD') return EMPTY;
    return events.pipe(takeUntil(this.revocations.watch(caller)));
  }
}
