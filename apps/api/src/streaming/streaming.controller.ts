import { type Caller, CurrentCaller, Limited } from '@app/auth';
import { Controller, Headers, Inject, type MessageEvent, Param, Sse } from '@nestjs/common';
import { ApiHeader, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Observable } from 'rxjs';
import { JobStream } from './job-stream.js';

/** Characters that may wait for a client that does not read before it is cut. */
const MAX_PENDING = 256 * 1024;

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class StreamingController {
  constructor(@Inject(JobStream) private readonly streams: JobStream) {}

  /** Server-sent events of one job until it has ended. */
  @Sse(':job_id/stream', { maxPendingDataLength: MAX_PENDING })
  @Limited('jobs.stream')
  @ApiProduces('text/event-stream')
  @ApiHeader({ name: 'Last-Event-ID', required: false })
  @ApiParam({ name: 'job_id', schema: { type: 'string', format: 'uuid' } })
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<Observable<MessageEvent>> {
    return this.streams.open(caller.accountId, jobId, lastEventId);
  }
}
