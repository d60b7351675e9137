import { type Listener, openListener, poolOf } from '@app/database';
import { DUE_CHANNEL } from '@app/webhooks';
import type { DataSource } from 'typeorm';

/** Hears from Postgres that a webhook has become due, in whichever process that was. It only wakes; rows decide. */
export class DueListener {
  private listener: Listener | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly onDue: () => void,
  ) {}

  /** Listens, if it does not already. To be called again and again, as connections get lost. */
  async listen(): Promise<void> {
    if (this.listener || this.stopped) return;
    const listener = await openListener(poolOf(this.dataSource), DUE_CHANNEL, {
      heard: this.onDue,
      lost: () => (this.listener = undefined),
    });
    if (this.stopped) return listener.close();
    this.listener = listener;
  }

  stop(): void {
    this.stopped = true;
    this.listener?.close();
  }
}
