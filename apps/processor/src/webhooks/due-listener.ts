import { poolOf } from '@app/database';
import { DUE_CHANNEL } from '@app/webhooks';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** Hears from Postgres that a webhook has become due, in whichever process that was. It only wakes; rows decide. */
export class DueListener {
  private client: PoolClient | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly onDue: () => void,
  ) {}

  /** Listens, if it does not already. To be called again and again, as connections get lost. */
  async listen(): Promise<void> {
    if (this.client || this.stopped) return;
    const client = await poolOf(this.dataSource).connect();
    const lose = (error?: Error) => this.lose(client, error);
    client.on('notification', this.onDue).once('error', lose).once('end', lose);
    this.client = client;
    try {
      await client.query(`LISTEN ${DUE_CHANNEL}`);
    } catch (error) {
      this.lose(client);
      throw error;
    }
  }

  stop(): void {
    this.stopped = true;
    if (this.client) this.lose(this.client);
  }

  /** The connection is not given back: it would go on hearing. */
  private lose(client: PoolClient, error?: Error): void {
    if (this.client !== client) return;
    this.client = undefined;
    client.on('error', () => undefined).release(error ?? true);
  }
}
