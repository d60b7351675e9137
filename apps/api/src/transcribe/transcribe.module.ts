import { Module } from '@nestjs/common';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { ResultsModule } from '../results/results.module.js';
import { StreamingModule } from '../streaming/streaming.module.js';
import { TranscribeController } from './transcribe.controller.js';
import { TranscribeService } from './transcribe.service.js';
import { TranscribeStream } from './transcribe-stream.js';
import { TranscriptText } from './transcript-text.js';

@Module({
  imports: [ResultsModule, StreamingModule],
  controllers: [TranscribeController],
  providers: [TranscribeService, TranscribeStream, TranscriptText, JobRequestCheck],
})
export class TranscribeModule {}
