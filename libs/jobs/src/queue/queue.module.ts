import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';
import { BackoffWorker } from './backoff-worker.js';
import { StageQueues } from './stage-queues.js';
import type { QueueServerOptions } from './queue-options.js';
import { QueueServerConnection } from './queue-server-connection.js';
import { QUEUE_NAMES } from './queues.js';
import { ReconnectingQueue } from './reconnecting-queue.js';

const MAX_STORED_EVENTS = 256;

/** Global, because Nest closes global modules last, and `BullModule` is one. */
@Module({})
class QueueServerModule implements OnApplicationShutdown {
  constructor(private readonly server: QueueServerConnection) {}

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}

@Module({})
export class QueueModule {
  static forRoot(options: QueueServerOptions): DynamicModule {
    BullModule.queueClass = ReconnectingQueue;
    BullModule.workerClass = BackoffWorker;
    const serverModule = {
      module: QueueServerModule,
      global: true,
      providers: [{ provide: QueueServerConnection, useFactory: () => new QueueServerConnection(options) }],
      exports: [QueueServerConnection],
    };
    const bullModule = BullModule.forRootAsync({
      inject: [QueueServerConnection],
      useFactory: (server: QueueServerConnection) => ({
        // BullModule's types allow Redis connections only; it passes this one to the two classes above.
        connection: server as unknown as ConnectionOptions,
        streams: { events: { maxLen: MAX_STORED_EVENTS } },
        defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      }),
      extraOptions: { manualRegistration: true },
    });
    return {
      module: QueueModule,
      imports: [serverModule, bullModule, BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name })))],
      providers: [StageQueues],
      exports: [StageQueues],
    };
  }
}
