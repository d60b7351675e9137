import { type Caller, CurrentCaller, hasPermission, RateLimited } from '@app/auth';
import { getConsoleJobWithDetailsAndEvents, listConsoleJobSummaries } from '@app/jobs';
import { Controller, Delete, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { JobActionStatusResponse } from '../../jobs/job-actions.dto.js';
import { JobCancellationService } from '../../jobs/job-cancellation.service.js';
import { linkToTraceOfJob } from '../../jobs/job-of-request.js';
import { JobDeletionService } from '../../jobs/job-deletion.service.js';
import { type MemberSession, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  ConsoleJobDetails,
  ConsoleJobListResponse,
  toConsoleJob,
  toConsoleJobDetails,
} from './console-jobs.dto.js';
import { parseConsoleJobListQuery } from './parse-console-job-list-query.js';

@UseConsoleGuardsAndTag('jobs')
@Controller('console/api/jobs')
export class ConsoleJobsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cancellation: JobCancellationService,
    private readonly deletion: JobDeletionService,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Get()
  @RateLimited('jobs.list')
  @RequireAccess('jobs.read')
  @ApiConsoleRoute('listConsoleJobs', 'List jobs, newest first', ConsoleJobListResponse)
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<ConsoleJobListResponse> {
    const { filter, limit } = parseConsoleJobListQuery(query);
    // One additional job shows whether there is another page.
    const found = await listConsoleJobSummaries(this.dataSource, accountId, filter, limit + 1);
    const jobs = found.slice(0, limit).map(toConsoleJob);
    return { jobs, next_cursor: found.length > limit ? (jobs.at(-1)?.created_at ?? null) : null };
  }

  @Get(':job_id')
  @RateLimited('jobs.get')
  @RequireAccess('jobs.read')
  @ApiConsoleRoute('getConsoleJob', 'Retrieve a job with its events', ConsoleJobDetails)
  async get(
    @CurrentMemberSession() { accountId, role }: MemberSession,
    @Param('job_id') jobId: string,
  ): Promise<ConsoleJobDetails> {
    const job = await getConsoleJobWithDetailsAndEvents(this.dataSource, accountId, jobId);
    linkToTraceOfJob(job);
    const { transcriptDays: operatorDays } = this.options;
    return toConsoleJobDetails(job, { operatorDays, isManager: hasPermission(role, 'webhooks.write') });
  }

  @Post(':job_id/cancel')
  @RateLimited('jobs.cancel')
  @RequireAccess('jobs.write')
  @ApiConsoleRoute('cancelConsoleJob', 'Cancel a job', JobActionStatusResponse)
  cancel(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<JobActionStatusResponse> {
    return this.cancellation.cancelJob(caller, jobId);
  }

  @Delete(':job_id')
  @RateLimited('jobs.delete')
  @RequireAccess('jobs.write')
  @ApiConsoleRoute(
    'deleteConsoleJob',
    'Delete a job with its transcript and audio; one that runs is cancelled',
  )
  delete(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<void> {
    return this.deletion.deleteJob(caller, jobId);
  }
}
