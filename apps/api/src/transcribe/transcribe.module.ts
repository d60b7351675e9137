import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { ResultsModule } from '../results/results.module.js';
import { StreamingModule } from '../streaming/streaming.module.js';
import { StreamedUploadJobs } from './streamed-upload-jobs.js';
import { TranscribeController } from './transcribe.controller.js';
import { TranscribeService } from './transcribe.service.js';
import { TranscribeStream } from './transcribe-stream.js';
import { TranscriptTextReader } from './transcript-text-reader.js';

@Module({
  imports: [ResultsModule, StreamingModule, IdempotencyModule],
  controllers: [TranscribeController],
  providers: [
    StreamedUploadJobs,
    TranscribeService,
    TranscribeStream,
    TranscriptTextReader,
    JobRequestValidator,
  ],
  exports: [StreamedUploadJobs, TranscriptTextReader],
})
export class TranscribeModule {}
