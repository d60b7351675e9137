import { SkipApiKeyGuard } from '@app/auth';
import { ServiceError } from '@app/errors';
import { findJobForSignedDownload, type JobForSignedDownload } from '@app/jobs';
import { TranscriptUrlSigner } from '@app/storage';
import { Controller, Get, Inject, Param, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { linkToTraceOfJob } from '../jobs/job-of-request.js';
import { setCorsHeaders } from '../objects/cors.js';
import { SignedDownloadRateLimiter } from './signed-download-rate-limiter.js';
import { type JobWithTranscript, TranscriptResponseService } from './transcript-response.service.js';

/** Serves `download_url`: the transcript of a completed job, otherwise a 404 with the reason. */
@SkipApiKeyGuard()
@ApiExcludeController()
@Controller('transcripts')
export class TranscriptDownloadController {
  private readonly limit = new SignedDownloadRateLimiter();

  constructor(
    private readonly dataSource: DataSource,
    private readonly urlSigner: TranscriptUrlSigner,
    private readonly transcripts: TranscriptResponseService,
    @Inject(API_OPTIONS_TOKEN) private readonly options: Pick<ApiOptions, 'corsOrigins'>,
  ) {}

  @Get(':job_id')
  async getTranscript(
    @Param('job_id') jobId: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    setCorsHeaders(request, reply, this.options.corsOrigins);
    this.urlSigner.verify(jobId, expires, signature);
    this.limit.count(jobId);
    const job = await this.getJobWithTranscript(jobId);
    return this.transcripts.sendTranscript(reply, job, { format: job.options.output_type });
  }

  private async getJobWithTranscript(jobId: string): Promise<JobWithTranscript> {
    const job = await findJobForSignedDownload(this.dataSource, jobId);
    if (job) linkToTraceOfJob(job);
    if (job?.resultKey == null) throw new ServiceError('object_not_found', { detail: explainMissing(job) });
    return { ...job, resultKey: job.resultKey };
  }
}

function explainMissing(job: JobForSignedDownload | undefined): string {
  if (job?.status === 'processing')
    return 'The transcript is not there yet: the job is waiting for its upload or being processed.';
  if (job?.status !== 'failed') return 'The transcript is no longer kept.';
  if (job.failedStage === 'cancelled') return 'There will be no transcript: the job was cancelled.';
  return `There will be no transcript: the job failed at ${job.failedStage}. ${job.reason}`;
}
