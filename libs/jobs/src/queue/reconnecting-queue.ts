import { settlesWithin } from '@app/async';
import { Queue, type IQueueBackend, type QueueOptions } from 'bullmq';
import type { QueueServerConnection } from './queue-server-connection.js';
import { withQueueTimeout } from './with-queue-timeout.js';

/**
 * `BullModule` creates queues at startup, even if the server is unavailable. BullMQ never retries a failed
 * first connection; this class does.
 */
export class ReconnectingQueue extends Queue<
  unknown,
  void,
  string,
  unknown,
  void,
  string,
  IQueueBackend,
  QueueServerConnection
> {
  private readonly server: QueueServerConnection;
  private connecting: Promise<void> | undefined;
  private hasFailed = false;

  constructor(name: string, options: QueueOptions<QueueServerConnection>) {
    super(name, options, options.connection.createBackend);
    this.server = options.connection;
    this.on('error', (error) => this.server.outage.reportError(error));
    this.waitUntilReady().catch(() => (this.hasFailed = true));
  }

  /** Call it before every use; after a success it does nothing. */
  async connect(): Promise<void> {
    this.connecting ??= this.openConnection().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    await this.connecting;
  }

  override async close(): Promise<void> {
    await settlesWithin(super.close(), this.server.timings.callTimeoutMs);
  }

  private async openConnection(): Promise<void> {
    await this.server.probe();
    if (this.hasFailed) this.replaceConnection();
    try {
      await withQueueTimeout(this.server.timings.callTimeoutMs, this.name, () => this.waitUntilReady());
      await this.backend.setQueueMeta(this.metaValues);
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  private replaceConnection(): void {
    this.backend.close().catch(() => undefined);
    this.createBackend();
    this.backend.on('error', (error: Error) => this.emit('error', error));
    this.hasFailed = false;
  }
}
