import { Public } from '@app/auth';
import { poolOf } from '@app/database';
import { ServiceError } from '@app/errors';
import type { JobOptions } from '@app/jobs';
import { attachmentHeader, OBJECT_STORE, type ObjectStore } from '@app/storage';
import { exporterFor } from '@app/transcript';
import { Controller, Get, Inject, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { ResultAddress } from './result-address.js';
import { transcriptFilename } from './transcript-filename.js';

/** Serves the `download_url` of the create responses: 404 until the job has completed, then the transcript. */
@Public()
@ApiExcludeController()
@Controller('transcripts')
export class ResultsController {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(ResultAddress) private readonly addresses: ResultAddress,
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
    const { key, options } = await this.finished(jobId);
    const { contentType, extension } = exporterFor(options.output_type);
    void reply.header('x-content-type-options', 'nosniff').header('cache-control', 'private, no-store');
    return new StreamableFile(await this.store.get(key), {
      type: contentType,
      disposition: attachmentHeader(transcriptFilename(jobId, extension)),
    });
  }

  private async finished(jobId: string): Promise<{ key: string; options: JobOptions }> {
    const { rows } = await poolOf(this.dataSource).query<{
      key: string | null;
      status: string;
      options: JobOptions;
    }>('SELECT result_key AS key, status, options FROM job WHERE id = $1', [jobId]);
    const [job] = rows;
    if (job?.key == null)
      throw new ServiceError('object_not_found', {
        detail: `The transcript is ${job?.status === 'completed' ? 'no longer there' : 'not there yet'}.`,
      });
    return { key: job.key, options: job.options };
  }
}
