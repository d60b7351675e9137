import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { listJobSummaries, listJobIdsAndCreationTimes } from '@app/jobs';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { TranscriptDownloadUrlService } from '../transcripts/transcript-download-url.service.js';
import {
  CheckFailedJobsDto,
  type JobActionStatusResponse,
  type JobFailedFlagsResponse,
  JobIdDto,
} from './job-actions.dto.js';
import { JobCancellationService } from './job-cancellation.service.js';
import { JobDeletionService } from './job-deletion.service.js';
import { JobFailureCheckService } from './job-failure-check.service.js';
import { type JobListResponse, toDetailedJobListResponse, toJobListResponse } from './job-list.dto.js';
import { type JobResponse, toJobResponse } from './job.dto.js';
import { ApiCancelJob, ApiCheckFailedJobs, ApiDeleteJob, ApiGetJob, ApiListJobs } from './jobs.openapi.js';
import { getJobAndLinkTrace } from './job-of-request.js';
import { parseJobListQuery } from './parse-job-list-query.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly downloadUrls: TranscriptDownloadUrlService,
    private readonly cancellation: JobCancellationService,
    private readonly deletion: JobDeletionService,
    private readonly failureCheck: JobFailureCheckService,
  ) {}

  @Get()
  @RateLimited('jobs.list')
  @ApiListJobs()
  async listJobs(
    @CurrentCaller() { accountId }: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<JobListResponse> {
    const { fields, status, metadata, ...page } = parseJobListQuery(query);
    // Plain pages, the common case, need a cheaper query.
    if (fields.length === 0 && status === null && metadata === null)
      return toJobListResponse(await listJobIdsAndCreationTimes(this.dataSource, accountId, page));
    const jobs = await listJobSummaries(this.dataSource, accountId, page, { status, metadata });
    return toDetailedJobListResponse(jobs, fields);
  }

  @Get(':job_id')
  @RateLimited('jobs.get')
  @ApiGetJob()
  async getJob(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<JobResponse> {
    const job = await getJobAndLinkTrace(this.dataSource, caller.accountId, jobId);
    return toJobResponse(job, await this.downloadUrls.forCompletedJob(job));
  }

  @Delete(':job_id')
  @RateLimited('jobs.delete')
  @HttpCode(204)
  @ApiDeleteJob()
  deleteJob(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<void> {
    return this.deletion.deleteJob(caller, jobId);
  }

  @Post('cancel')
  @RateLimited('jobs.cancel')
  @HttpCode(200)
  @ApiCancelJob()
  cancelJob(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<JobActionStatusResponse> {
    return this.cancellation.cancelJob(caller, job_id);
  }

  @Post('check-failed')
  @RateLimited('jobs.check-failed')
  @HttpCode(200)
  @ApiCheckFailedJobs()
  checkFailedJobs(
    @CurrentCaller() caller: Caller,
    @Body() body: CheckFailedJobsDto,
  ): Promise<JobFailedFlagsResponse> {
    return this.failureCheck.checkFailedJobs(caller, body);
  }
}
