import { type Caller, CurrentCaller, Limited } from '@app/auth';
import { listJobs } from '@app/jobs';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { readJobListQuery } from './job-list-query.js';
import { jobListResponse, type JobListResponse } from './job-list.dto.js';
import { ApiListJobs } from './jobs.openapi.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobListController {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The jobs of the caller's account, newest first, a page at a time. */
  @Get()
  @Limited('jobs.list')
  @ApiListJobs()
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<JobListResponse> {
    return jobListResponse(await listJobs(this.dataSource, caller.accountId, readJobListQuery(query)));
  }
}
