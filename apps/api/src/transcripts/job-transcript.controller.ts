import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Controller, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { getJobAndLinkTrace } from '../jobs/job-of-request.js';
import { assertTranscriptAvailable } from './assert-transcript-available.js';
import { parseTranscriptQuery } from './parse-transcript-query.js';
import { ApiGetTranscript } from './transcript.openapi.js';
import { TranscriptResponseService } from './transcript-response.service.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobTranscriptController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transcripts: TranscriptResponseService,
  ) {}

  @Get(':job_id/transcript')
  @RateLimited('jobs.transcript')
  @ApiGetTranscript()
  async getTranscript(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const job = await getJobAndLinkTrace(this.dataSource, caller.accountId, jobId);
    const rendition = parseTranscriptQuery(query, job.options.output_type);
    assertTranscriptAvailable(job);
    return this.transcripts.sendTranscript(reply, { ...job, accountId: caller.accountId }, rendition);
  }
}
