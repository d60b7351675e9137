import { type NotificationListener, openNotificationListener, getPgPool } from '@app/database';
import { DUE_CHANNEL } from '@app/webhooks';
import type { DataSource } from 'typeorm';

/**
 * Listens for notifications that a webhook has become due in any process. They only wake the dispatcher; rows
 * decide what is due.
 */
export class DueWebhookListener {
  private listener: NotificationListener | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly onDue: () => void,
  ) {}

  /** Starts to listen if it does not yet. Called repeatedly, because connections can be lost. */
  async listen(): Promise<void> {
    if (this.listener || this.stopped) return;
    const listener = await openNotificationListener(getPgPool(this.dataSource), DUE_CHANNEL, {
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
