import { type NotificationListener, openNotificationListener, getPgPool } from '@app/database';
import { DUE_CHANNEL } from '@app/webhooks';
import type { DataSource } from 'typeorm';

/** Hears from Postgres that a webhook has become due, in whichever process that was. It only wakes; rows decide. */
export class DueWebhookListener {
  private listener: NotificationListener | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly onDue: () => void,
  ) {}

  /** Listens, if it does not already. To be called again and again, as connections get lost. */
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
