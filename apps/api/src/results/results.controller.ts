import { Public } from '@app/auth';
import { getPgPool } from '@app/database';
import { ServiceError } from '@app/errors';
import type { JobView } from '@app/jobs';
import { ResultAddress } from '@app/runtime';
import { Controller, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { type TranscriptJob, TranscriptService } from './transcript.service.js';

/** Serves `download_url`: the transcript of a completed job, otherwise a 404 with the reason. */
@Public()
@ApiExcludeController()
@Controller('transcripts')
export class ResultsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly urlSigner: ResultAddress,
    private readonly transcripts: TranscriptService,
  ) {}

  @Get(':job_id')
  async getTranscript(
    @Param('job_id') jobId: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    this.urlSigner.verify(jobId, expires, signature);
    const job = await this.findFinishedJob(jobId);
    return this.transcripts.send(reply, job, job.options.output_type);
  }

  private async findFinishedJob(jobId: string): Promise<TranscriptJob> {
    const { rows } = await getPgPool(this.dataSource).query<TranscriptJob & JobOutcome>(
      `SELECT id, status, result_key AS "resultKey", options, COALESCE(speaker_names, '{}') AS "speakerNames",
         failed_stage AS "failedStage", reason
       FROM job WHERE id = $1`,
      [jobId],
    );
    const [job] = rows;
    if (job?.resultKey == null) throw new ServiceError('object_not_found', { detail: explainMissing(job) });
    return job;
  }
}

type JobOutcome = Pick<JobView, 'status' | 'failedStage' | 'reason'>;

function explainMissing(job: JobOutcome | undefined): string {
  if (job?.status === 'processing')
    return 'The transcript is not there yet: the job is waiting for its upload or being processed.';
  if (job?.status !== 'failed') return 'The transcript is no longer kept.';
  if (job.failedStage === 'cancelled') return 'There will be no transcript: the job was cancelled.';
  return `There will be no transcript: the job failed at ${job.failedStage}. ${job.reason}`;
}
