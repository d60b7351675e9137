import { Module } from '@nestjs/common';
import { DownloadUrlSigner } from './download-url-signer.js';
import { JobTranscriptController } from './job-transcript.controller.js';
import { TranscriptRenderer } from './rendering/transcript-renderer.js';
import { TranscriptDownloadController } from './transcript-download.controller.js';
import { TranscriptService } from './transcript.service.js';

@Module({
  controllers: [TranscriptDownloadController, JobTranscriptController],
  providers: [DownloadUrlSigner, TranscriptRenderer, TranscriptService],
  exports: [DownloadUrlSigner, TranscriptRenderer],
})
export class ResultsModule {}
