import { type Caller, CurrentCaller, Limited } from '@app/auth';
import { listJobs } from '@app/jobs';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, readJobListQuery } from './job-list-query.js';
import { jobListResponse, JobListResponse } from './job-list.dto.js';

const LIMIT = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE } as const;

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobListController {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The jobs of the caller's account, newest first, a page at a time. */
  @Get()
  @Limited('jobs.list')
  @ApiQuery({ name: 'limit', required: false, schema: LIMIT })
  @ApiQuery({ name: 'before', required: false, schema: { type: 'string', format: 'date-time' } })
  @ApiOkResponse({ type: JobListResponse })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<JobListResponse> {
    return jobListResponse(await listJobs(this.dataSource, caller.accountId, readJobListQuery(query)));
  }
}
