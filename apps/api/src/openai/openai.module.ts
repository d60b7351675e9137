import { Module } from '@nestjs/common';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { StreamingModule } from '../streaming/streaming.module.js';
import { TranscribeModule } from '../transcribe/transcribe.module.js';
import { JobCompletionWaiter } from './job-completion-waiter.js';
import { ModelsController } from './models.controller.js';
import { TranscriptionsController } from './transcriptions.controller.js';
import { TranscriptionsService } from './transcriptions.service.js';

/** OpenAI-compatible routes on the same jobs, keys and limits. */
@Module({
  imports: [StreamingModule, TranscribeModule],
  controllers: [TranscriptionsController, ModelsController],
  providers: [TranscriptionsService, JobCompletionWaiter, JobRequestValidator],
})
export class OpenAiModule {}
