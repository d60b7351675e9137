import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { findJob } from '@app/jobs';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { DownloadUrls } from '../results/download-urls.js';
import { type JobResponse, toJobResponse } from './job.dto.js';
import { ApiGetJob } from './jobs.openapi.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly downloadUrls: DownloadUrls,
  ) {}

  /** One job of the caller's account. */
  @Get(':job_id')
  @RateLimited('jobs.get')
  @ApiGetJob()
  async getJob(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<JobResponse> {
    const job = await findJob(this.dataSource, caller.accountId, jobId);
    return toJobResponse(job, await this.downloadUrls.forCompletedJob(job));
  }
}
