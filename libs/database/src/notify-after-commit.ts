import type { DataSource, EntityManager } from 'typeorm';
import { queryPrepared } from './query-rows.js';
import { afterCommit } from './transaction.js';

const MAX_NOTIFICATIONS_PER_STATEMENT = 1_000;

/** Does not wait for the disk: a lost notification is found by polling. */
const NOTIFY = {
  name: 'notify',
  text: `
    SELECT pg_notify(channel, payload), set_config('synchronous_commit', 'off', true)
    FROM unnest($1::text[], $2::text[]) AS notification (channel, payload)`,
};

interface Notification {
  channel: string;
  payload: string;
}

/**
 * Sends the notifications of all commits of the process, one statement at a time. `NOTIFY` within the commits would make
 * them wait for each other, because a transaction that notifies holds a lock of the whole server until it is flushed.
 */
class CommitNotifier {
  private readonly pending = new Map<string, Notification>();
  private isSending = false;

  constructor(private readonly dataSource: DataSource) {}

  add(notification: Notification): void {
    this.pending.set(`${notification.channel} ${notification.payload}`, notification);
    if (this.isSending) return;
    this.isSending = true;
    setImmediate(() => void this.sendAll());
  }

  private async sendAll(): Promise<void> {
    try {
      while (this.pending.size > 0) {
        const batch = [...this.pending].slice(0, MAX_NOTIFICATIONS_PER_STATEMENT);
        for (const [key] of batch) this.pending.delete(key);
        const notifications = batch.map(([, notification]) => notification);
        await queryPrepared(this.dataSource.manager, NOTIFY, [
          notifications.map(({ channel }) => channel),
          notifications.map(({ payload }) => payload),
        ]);
      }
    } catch {
      // Postgres is unavailable, or the program ends. Whoever waits also polls.
      this.pending.clear();
    } finally {
      this.isSending = false;
    }
  }
}

const NOTIFIERS = new WeakMap<DataSource, CommitNotifier>();

/**
 * Notifies a Postgres channel soon after the commit, together with the other commits of the process. A crash or an outage
 * can lose the notification: whoever waits for it must also poll.
 * @throws Error if the transaction was not opened by `inTransaction`
 */
export function notifyAfterCommit(tx: EntityManager, channel: string, payload: string): void {
  const { dataSource } = tx;
  const notifier = NOTIFIERS.get(dataSource) ?? new CommitNotifier(dataSource);
  NOTIFIERS.set(dataSource, notifier);
  afterCommit(tx, () => notifier.add({ channel, payload }));
}
