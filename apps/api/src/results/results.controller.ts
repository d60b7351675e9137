import { Public } from '@app/auth';
import { getPgPool } from '@app/database';
import { ServiceError } from '@app/errors';
import type { JobView } from '@app/jobs';
import { ResultAddress } from '@app/runtime';
import { Controller, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { type FinishedJob, Transcripts } from './transcripts.js';

/** Serves `download_url`: the transcript of a completed job, a 404 that says why for any other. */
@Public()
@ApiExcludeController()
@Controller('transcripts')
export class ResultsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly addresses: ResultAddress,
    private readonly transcripts: Transcripts,
  ) {}

  @Get(':job_id')
  async transcript(
    @Param('job_id') jobId: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    this.addresses.verify(jobId, expires, signature);
    const job = await this.finished(jobId);
    return this.transcripts.send(reply, job, job.options.output_type);
  }

  private async finished(jobId: string): Promise<FinishedJob> {
    const { rows } = await getPgPool(this.dataSource).query<FinishedJob & Ending>(
      `SELECT id, status, result_key AS "resultKey", options, COALESCE(speaker_names, '{}') AS "speakerNames",
         failed_stage AS "failedStage", reason
       FROM job WHERE id = $1`,
      [jobId],
    );
    const [job] = rows;
    if (job?.resultKey == null) throw new ServiceError('object_not_found', { detail: whyMissing(job) });
    return job;
  }
}

type Ending = Pick<JobView, 'status' | 'failedStage' | 'reason'>;

function whyMissing(job: Ending | undefined): string {
  if (job?.status === 'processing')
    return 'The transcript is not there yet: the job is waiting for its upload or being processed.';
  if (job?.status !== 'failed') return 'The transcript is no longer kept.';
  if (job.failedStage === 'cancelled') return 'There will be no transcript: the job was cancelled.';
  return `There will be no transcript: the job failed at ${job.failedStage}. ${job.reason}`;
}
