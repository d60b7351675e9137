import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { findJob } from '@app/jobs';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { Downloads } from '../results/downloads.js';
import { type JobResponse, jobResponse } from './job.dto.js';
import { ApiGetJob } from './jobs.openapi.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly downloads: Downloads,
  ) {}

  /** One job of the caller's account. */
  @Get(':job_id')
  @RateLimited('jobs.get')
  @ApiGetJob()
  async one(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<JobResponse> {
    const job = await findJob(this.dataSource, caller.accountId, jobId);
    return jobResponse(job, await this.downloads.of(job));
  }
}
