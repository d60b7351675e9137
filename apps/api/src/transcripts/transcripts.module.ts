import { Module } from '@nestjs/common';
import { TranscriptDownloadUrlService } from './transcript-download-url.service.js';
import { JobTranscriptController } from './job-transcript.controller.js';
import { TranscriptRenderer } from './rendering/transcript-renderer.js';
import { TranscriptDownloadController } from './transcript-download.controller.js';
import { TranscriptResponseService } from './transcript-response.service.js';

@Module({
  controllers: [TranscriptDownloadController, JobTranscriptController],
  providers: [TranscriptDownloadUrlService, TranscriptRenderer, TranscriptResponseService],
  exports: [TranscriptDownloadUrlService, TranscriptRenderer, TranscriptResponseService],
})
export class TranscriptsModule {}
