import { Module } from '@nestjs/common';
import { Downloads } from './downloads.js';
import { JobTranscriptController } from './job-transcript.controller.js';
import { Renderings } from './rendering/renderings.js';
import { ResultsController } from './results.controller.js';
import { Transcripts } from './transcripts.js';

@Module({
  controllers: [ResultsController, JobTranscriptController],
  providers: [Downloads, Renderings, Transcripts],
  exports: [Downloads, Renderings],
})
export class ResultsModule {}
