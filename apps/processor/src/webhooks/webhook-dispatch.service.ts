import { PollingLoop } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { findExporter } from '@app/transcript';
import {
  Dispatcher,
  type CreateDownloadUrl,
  OutboundClient,
  SealedWebhookBodies,
  SigningSecrets,
} from '@app/webhooks';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DueWebhookListener } from './due-webhook-listener.js';
import { WEBHOOK_DISPATCH_OPTIONS, type WebhookDispatchOptions } from './webhook-dispatch-options.js';

/** Sends webhooks: at once when notified, and every second for missed notifications. */
@Injectable()
export class WebhookDispatchService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly dispatcher: Dispatcher;
  private readonly listener: DueWebhookListener;
  private readonly loop: PollingLoop;

  constructor(
    dataSource: DataSource,
    client: OutboundClient,
    secrets: SigningSecrets,
    bodies: SealedWebhookBodies,
    @Inject(OBJECT_STORE) store: ObjectStore,
    @Inject(WEBHOOK_DISPATCH_OPTIONS) options: WebhookDispatchOptions,
  ) {
    const { logger, concurrency, backoffSeconds, downloadSeconds, onAttempt } = options;
    const nudge = () => this.loop.wake();
    this.listener = new DueWebhookListener(dataSource, nudge);
    this.dispatcher = new Dispatcher({
      dataSource,
      client,
      secrets,
      bodies,
      createDownloadUrl: downloadAddressFrom(store, downloadSeconds),
      logger,
      concurrency,
      backoffSeconds,
      onAttempt,
      onSlotFree: nudge,
    });
    this.loop = new PollingLoop({
      name: 'webhook dispatch',
      intervalMs: 1_000,
      tick: () => this.tick(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Waits for running attempts, at most for the duration of one attempt. May be called again. */
  async stop(): Promise<void> {
    // First, because a running pass continues as long as anything is due.
    this.dispatcher.stop();
    await this.loop.stop();
    this.listener.stop();
    await this.dispatcher.drain();
  }

  private async tick(): Promise<boolean> {
    await this.listener.listen();
    await this.dispatcher.fillSlots();
    return false;
  }
}

function downloadAddressFrom(store: ObjectStore, expiresIn: number): CreateDownloadUrl {
  return ({ id, resultKey, outputType }) =>
    store.presignGet({
      key: resultKey,
      expiresIn,
      filename: `transcript-${id}.${findExporter(outputType).extension}`,
    });
}
