import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { ResultsModule } from '../results/results.module.js';
import { StreamingModule } from '../streaming/streaming.module.js';
import { OneShotJobs } from './one-shot-jobs.js';
import { TranscribeController } from './transcribe.controller.js';
import { TranscribeService } from './transcribe.service.js';
import { TranscribeStream } from './transcribe-stream.js';
import { TranscriptText } from './transcript-text.js';

@Module({
  imports: [ResultsModule, StreamingModule, IdempotencyModule],
  controllers: [TranscribeController],
  providers: [OneShotJobs, TranscribeService, TranscribeStream, TranscriptText, JobRequestCheck],
  exports: [OneShotJobs, TranscriptText],
})
export class TranscribeModule {}
