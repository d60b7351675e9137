import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { listJobDetails, listJobs } from '@app/jobs';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { parseJobListQuery } from './parse-job-list-query.js';
import { toJobDetailsResponse, toJobListResponse, type JobListResponse } from './job-list.dto.js';
import { ApiListJobs } from './jobs.openapi.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobListController {
  constructor(private readonly dataSource: DataSource) {}

  /** The jobs of the caller's account, newest first, one page at a time. */
  @Get()
  @RateLimited('jobs.list')
  @ApiListJobs()
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<JobListResponse> {
    const { fields, status, metadata, ...page } = parseJobListQuery(query);
    const { accountId } = caller;
    // Plain pages, the common case, need a cheaper query.
    if (fields.length === 0 && status === null && metadata === null)
      return toJobListResponse(await listJobs(this.dataSource, accountId, page));
    const found = await listJobDetails(this.dataSource, accountId, page, { status, metadata });
    return toJobDetailsResponse(found, fields);
  }
}
