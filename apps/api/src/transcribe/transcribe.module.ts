import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { JobStreamModule } from '../streaming/job-stream.module.js';
import { JobEndWaiter } from './job-end-waiter.js';
import { ModelsController } from './openai/models.controller.js';
import { TranscriptionsController } from './openai/transcriptions.controller.js';
import { TranscriptionsService } from './openai/transcriptions.service.js';
import { TranscribedChunkReader } from './openai/transcribed-chunk-reader.js';
import { StreamedAudioJobService } from './streamed-audio-job.service.js';
import { TranscribeController } from './transcribe.controller.js';
import { TranscribeJobCreationService } from './transcribe-job-creation.service.js';
import { TranscribeStreamService } from './transcribe-stream.js';
import { TranscriptTextReader } from './transcript-text-reader.js';

/** Audio in, transcript out, in one request: the service's own route and the OpenAI-compatible ones. */
@Module({
  imports: [TranscriptsModule, JobStreamModule, IdempotencyModule],
  controllers: [TranscribeController, TranscriptionsController, ModelsController],
  providers: [
    JobEndWaiter,
    JobRequestValidator,
    StreamedAudioJobService,
    TranscribeJobCreationService,
    TranscribeStreamService,
    TranscriptionsService,
    TranscribedChunkReader,
    TranscriptTextReader,
  ],
  exports: [StreamedAudioJobService],
})
export class TranscribeModule {}
