import { createReadStream } from 'node:fs';
import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { DEFAULT_JOB_OPTIONS } from '@app/jobs';
import { Controller, Get, Header, Post, StreamableFile } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { StreamedAudioJobService } from '../../transcribe/streamed-audio-job.service.js';
import { RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute, ApiTextProperty } from '../console.openapi.js';
import { FILE_NAME_JOB_METADATA_KEY } from './console-jobs.dto.js';

/** Seen from the compiled file. */
const SAMPLE_FILE = new URL('../../../../../../assets/sample/dialogue.mp3', import.meta.url);
const SAMPLE_NAME = 'dialogue.mp3';
const SAMPLE_TYPE = 'audio/mpeg';

export class SampleJobResponse {
  @ApiTextProperty({ format: 'uuid' })
  job_id: string;
}

/** The bundled recording, for a first transcript. */
@UseConsoleGuardsAndTag('jobs')
@Controller('console/api')
export class SampleRecordingController {
  constructor(private readonly intake: StreamedAudioJobService) {}

  @Post('jobs/sample')
  @RateLimited('transcribe')
  @RequireAccess('jobs.write')
  @ApiConsoleRoute('transcribeSample', 'Transcribe the bundled recording', SampleJobResponse)
  async transcribe(@CurrentCaller() caller: Caller): Promise<SampleJobResponse> {
    const options = { ...DEFAULT_JOB_OPTIONS };
    const id = uuidv7();
    await this.intake.runWithinCreditAndQuotas(caller, { options }, async () => {
      const stored = await this.intake.storeAudio(id, createReadStream(SAMPLE_FILE), SAMPLE_TYPE);
      const metadata = { [FILE_NAME_JOB_METADATA_KEY]: SAMPLE_NAME };
      await this.intake.createQueuedJob(id, caller, { options, metadata }, stored);
    });
    return { job_id: id };
  }

  @Get('sample-audio')
  @RequireAccess('jobs.read')
  @Header('cache-control', 'private, max-age=3600')
  @ApiConsoleRoute('getSampleAudio', 'Download the bundled recording', String as never)
  getAudio(): StreamableFile {
    return new StreamableFile(createReadStream(SAMPLE_FILE), { type: SAMPLE_TYPE });
  }
}
