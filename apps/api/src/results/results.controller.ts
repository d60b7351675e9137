import { Public } from '@app/auth';
import { poolOf } from '@app/database';
import { ServiceError } from '@app/errors';
import { Controller, Get, Inject, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { ResultAddress } from './result-address.js';
import { type FinishedJob, Transcripts } from './transcripts.js';

/** Serves the `download_url` of the create responses: 404 until the job has completed, then the transcript. */
@Public()
@ApiExcludeController()
@Controller('transcripts')
export class ResultsController {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ResultAddress) private readonly addresses: ResultAddress,
    @Inject(Transcripts) private readonly transcripts: Transcripts,
  ) {}

  @Get(':job_id')
  async transcript(
    @Param('job_id') jobId: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    if (
      typeof expires !== 'string' ||
      typeof signature !== 'string' ||
      !this.addresses.verify(jobId, expires, signature)
    )
      throw new ServiceError('address_refused');
    const job = await this.finished(jobId);
    return this.transcripts.send(reply, job, job.options.output_type);
  }

  private async finished(jobId: string): Promise<FinishedJob> {
    const { rows } = await poolOf(this.dataSource).query<FinishedJob & { status: string }>(
      `SELECT id, status, result_key AS "resultKey", options, COALESCE(speaker_names, '{}') AS "speakerNames"
       FROM job WHERE id = $1`,
      [jobId],
    );
    const [job] = rows;
    if (job?.resultKey == null)
      throw new ServiceError('object_not_found', {
        detail: `The transcript is ${job?.status === 'completed' ? 'no longer there' : 'not there yet'}.`,
      });
    return job;
  }
}
