import { PollingLoop } from '@app/async';
import { OutboundClient } from '@app/outbound';
import {
  OBJECT_STORE_TOKEN,
  type ObjectStore,
  signCompletedTranscriptUrl,
  TranscriptUrlSigner,
} from '@app/storage';
import { getExporter } from '@app/transcript';
import {
  type WebhookDispatcherOptions,
  WebhookDispatcher,
  type DownloadUrlFactory,
  WebhookBodyEncryptor,
  WebhookSigningSecretService,
  WEBHOOK_DUE_CHANNEL,
} from '@app/webhooks';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ListenConnection, openListenConnection, getPgPool } from '@app/database';

export const WEBHOOK_DISPATCH_OPTIONS_TOKEN = Symbol('WEBHOOK_DISPATCH_OPTIONS_TOKEN');

export interface WebhookDispatchOptions extends Pick<
  WebhookDispatcherOptions,
  'concurrency' | 'backoffSeconds' | 'logger' | 'onAttempt' | 'wrapAttempt'
> {
  /** For which the download URL is valid. */
  downloadSeconds: number;
}

/** Sends when notified, and every second for missed notifications. Nothing before `start`. */
@Injectable()
export class WebhookDispatchService implements OnModuleDestroy {
  private readonly dispatcher: WebhookDispatcher;
  private readonly listener: DueWebhookListener;
  private readonly loop: PollingLoop;

  constructor(
    dataSource: DataSource,
    client: OutboundClient,
    secrets: WebhookSigningSecretService,
    bodies: WebhookBodyEncryptor,
    @Inject(OBJECT_STORE_TOKEN) store: ObjectStore,
    urlSigner: TranscriptUrlSigner,
    @Inject(WEBHOOK_DISPATCH_OPTIONS_TOKEN) options: WebhookDispatchOptions,
  ) {
    const { downloadSeconds, ...dispatcherOptions } = options;
    const wakeLoop = () => this.loop.wake();
    this.listener = new DueWebhookListener(dataSource, wakeLoop);
    this.dispatcher = new WebhookDispatcher({
      dataSource,
      client,
      secrets,
      bodies,
      createDownloadUrl: buildDownloadUrlFactory(store, urlSigner, downloadSeconds),
      onSlotFree: wakeLoop,
      ...dispatcherOptions,
    });
    this.loop = new PollingLoop({
      name: 'webhook dispatch',
      intervalMs: 1_000,
      tick: () => this.tick(),
      logger: options.logger,
    });
  }

  start(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Waits at most for the duration of one attempt. May be called again. */
  async stop(): Promise<void> {
    // First, because a running pass continues as long as anything is due.
    this.dispatcher.stop();
    await this.loop.stop();
    this.listener.stop();
    await this.dispatcher.drain();
  }

  private async tick(): Promise<void> {
    await this.listener.listen();
    await this.dispatcher.fillSlots();
  }
}

function buildDownloadUrlFactory(
  store: ObjectStore,
  urlSigner: TranscriptUrlSigner,
  expiresIn: number,
): DownloadUrlFactory {
  return ({ id: jobId, outputType, ...transcript }) => {
    const { extension } = getExporter(outputType);
    return signCompletedTranscriptUrl(store, urlSigner, { jobId, extension, ...transcript }, expiresIn);
  };
}

/** Notifications only wake the dispatcher; rows decide what is due. */
export class DueWebhookListener {
  private listener: ListenConnection | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly onDue: () => void,
  ) {}

  /** Idempotent. Called repeatedly, because connections can be lost. */
  async listen(): Promise<void> {
    if (this.listener || this.stopped) return;
    const listener = await openListenConnection(getPgPool(this.dataSource), WEBHOOK_DUE_CHANNEL, {
      onNotification: this.onDue,
      onConnectionLost: () => (this.listener = undefined),
    });
    if (this.stopped) return listener.close();
    this.listener = listener;
  }

  stop(): void {
    this.stopped = true;
    this.listener?.close();
  }
}
