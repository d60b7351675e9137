import { Module } from '@nestjs/common';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { JobEventWatcher } from './job-event-watcher.js';
import { JobStreamService } from './job-stream.js';
import { AccessRevocationWatcher } from './access-revocation-watcher.js';
import { StreamAdmissionQueue } from './stream-admission-queue.js';
import { JobStreamController } from './streaming.controller.js';

@Module({
  imports: [TranscriptsModule],
  controllers: [JobStreamController],
  providers: [JobEventWatcher, JobStreamService, AccessRevocationWatcher, StreamAdmissionQueue],
  exports: [JobEventWatcher, JobStreamService, AccessRevocationWatcher, StreamAdmissionQueue],
})
export class JobStreamModule {}
