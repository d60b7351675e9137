import { Module } from '@nestjs/common';
import { DownloadUrls } from './download-urls.js';
import { JobTranscriptController } from './job-transcript.controller.js';
import { TranscriptRenderer } from './rendering/transcript-renderer.js';
import { ResultsController } from './results.controller.js';
import { TranscriptService } from './transcript.service.js';

@Module({
  controllers: [ResultsController, JobTranscriptController],
  providers: [DownloadUrls, TranscriptRenderer, TranscriptService],
  exports: [DownloadUrls, TranscriptRenderer],
})
export class ResultsModule {}
