import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { EventBridge } from './event-bridge.js';
import { JobStream } from './job-stream.js';
import { KeyRevocationWatcher } from './key-revocation-watcher.js';
import { StreamPool } from './stream-pool.js';
import { StreamingController } from './streaming.controller.js';

@Module({
  imports: [ResultsModule],
  controllers: [StreamingController],
  providers: [EventBridge, JobStream, KeyRevocationWatcher, StreamPool],
  exports: [EventBridge, JobStream, KeyRevocationWatcher, StreamPool],
})
export class StreamingModule {}
