import { Module } from '@nestjs/common';
import { DownloadUrlService } from './download-url.service.js';
import { JobTranscriptController } from './job-transcript.controller.js';
import { TranscriptRenderer } from './rendering/transcript-renderer.js';
import { TranscriptDownloadController } from './transcript-download.controller.js';
import { TranscriptService } from './transcript.service.js';

@Module({
  controllers: [TranscriptDownloadController, JobTranscriptController],
  providers: [DownloadUrlService, TranscriptRenderer, TranscriptService],
  exports: [DownloadUrlService, TranscriptRenderer, TranscriptService],
})
export class ResultsModule {}
