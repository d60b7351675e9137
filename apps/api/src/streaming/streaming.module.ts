import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { EventBridge } from './event-bridge.js';
import { JobStream } from './job-stream.js';
import { KeyRevocationWatcher } from './key-revocation-watcher.js';
import { StreamAdmissionQueue } from './stream-admission-queue.js';
import { JobStreamController } from './streaming.controller.js';

@Module({
  imports: [ResultsModule],
  controllers: [JobStreamController],
  providers: [EventBridge, JobStream, KeyRevocationWatcher, StreamAdmissionQueue],
  exports: [EventBridge, JobStream, KeyRevocationWatcher, StreamAdmissionQueue],
})
export class StreamingModule {}
