import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { JobEventWatcher } from './job-event-watcher.js';
import { JobStream } from './job-stream.js';
import { AccessRevocationWatcher } from './access-revocation-watcher.js';
import { StreamAdmissionQueue } from './stream-admission-queue.js';
import { JobStreamController } from './streaming.controller.js';

@Module({
  imports: [ResultsModule],
  controllers: [JobStreamController],
  providers: [JobEventWatcher, JobStream, AccessRevocationWatcher, StreamAdmissionQueue],
  exports: [JobEventWatcher, JobStream, AccessRevocationWatcher, StreamAdmissionQueue],
})
export class JobStreamModule {}
