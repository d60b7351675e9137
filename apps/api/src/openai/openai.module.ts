import { Module } from '@nestjs/common';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { StreamingModule } from '../streaming/streaming.module.js';
import { TranscribeModule } from '../transcribe/transcribe.module.js';
import { JobEnd } from './job-end.js';
import { ModelsController } from './models.controller.js';
import { TranscriptionsController } from './transcriptions.controller.js';
import { TranscriptionsService } from './transcriptions.service.js';

/** The routes that speak OpenAI's language, on the same jobs, keys and limits. */
@Module({
  imports: [StreamingModule, TranscribeModule],
  controllers: [TranscriptionsController, ModelsController],
  providers: [TranscriptionsService, JobEnd, JobRequestCheck],
})
export class OpenAiModule {}
