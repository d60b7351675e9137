import { withAnySignal } from '@app/async';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { getPgPool, TCP_KEEP_ALIVE_DELAY_MS } from './data-source.js';
import { getSqlState } from './transaction.js';

export type DeletableContentKind = 'audio' | 'transcripts';

/** An arbitrary lock id; a second number identifies the kind. */
const DELETION_LOCK_ID = 7_305_816;
const LOCK_KEYS: Record<DeletableContentKind, number> = { audio: 1, transcripts: 2 };
const LOCK_NOT_AVAILABLE = '55P03';
const PING_INTERVAL_MS = 60_000;
/** Longer than several pings. After it, a paused or disconnected backup no longer blocks deletions. */
const IDLE_SESSION_TIMEOUT_MINUTES = 5;

/**
 * Deletes under a shared lock, which a backup takes exclusively. Losing its connection aborts the work.
 * @returns false, without starting the work, if a backup blocks deletions
 */
export async function deleteUnlessBackupRuns(
  dataSource: DataSource,
  kinds: DeletableContentKind | readonly DeletableContentKind[],
  stop: AbortSignal,
  work: (stop: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const client = await getPgPool(dataSource).connect();
  const connectionLost = new AbortController();
  const onConnectionLost = (error?: Error) =>
    connectionLost.abort(error ?? new Error('The connection that held a lock was lost.'));
  // `on` and not `once`: a connection can fail repeatedly, and an unhandled error event ends the process.
  client.on('error', onConnectionLost).on('end', onConnectionLost);
  const held: number[][] = [];
  try {
    for (const kind of [kinds].flat()) {
      const lock = [DELETION_LOCK_ID, LOCK_KEYS[kind]];
      const { rows } = await client.query<{ acquired: boolean }>(
        'SELECT pg_try_advisory_lock_shared($1, $2) AS acquired',
        lock,
      );
      if (rows[0]?.acquired !== true) return false;
      held.push(lock);
    }
    await withAnySignal([stop, connectionLost.signal], work);
    return true;
  } finally {
    for (const lock of held)
      await client.query('SELECT pg_advisory_unlock_shared($1, $2)', lock).catch(onConnectionLost);
    if (!connectionLost.signal.aborted) client.off('error', onConnectionLost).off('end', onConnectionLost);
    client.release(connectionLost.signal.aborted);
  }
}

/** Deletions did not end in time, or another backup is running. */
export class DeletionsInProgressError extends Error {
  override readonly name = 'DeletionsInProgressError';
}

export interface DeletionPauseOptions {
  /** Maximum wait for running deletions. */
  maxWaitSeconds: number;
  onWait: () => void;
}

/** Blocks the deletions of all processes while its connection lives. Created by `begin`. */
export class DeletionPause {
  private readonly heldLocks = new Set<DeletableContentKind>();
  private readonly pings: NodeJS.Timeout;
  private readonly connectionLoss = new AbortController();
  /** Aborted when the connection is lost, because deletions then continue. */
  readonly connectionLost = this.connectionLoss.signal;

  private constructor(private readonly client: pg.Client) {
    const onConnectionLost = (error?: Error) =>
      this.connectionLoss.abort(error ?? new Error('the connection ended'));
    // `on` and not `once`: a connection can fail repeatedly, and an unhandled error event ends the process.
    client.on('error', onConnectionLost).on('end', onConnectionLost);
    // A paused process stops pinging, so the server closes its connection and releases the lock.
    this.pings = setInterval(
      () => void client.query('SELECT 1').catch(onConnectionLost),
      PING_INTERVAL_MS,
    ).unref();
  }

  /** @throws DeletionsInProgressError */
  static async begin(url: string, { maxWaitSeconds, onWait }: DeletionPauseOptions): Promise<DeletionPause> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'zephyr-backup-lock',
      keepAlive: true,
      keepAliveInitialDelayMillis: TCP_KEEP_ALIVE_DELAY_MS,
    });
    await client.connect();
    const pause = new DeletionPause(client);
    try {
      await client.query(`SET idle_session_timeout = '${IDLE_SESSION_TIMEOUT_MINUTES}min'`);
      await client.query(`SET lock_timeout = '${Math.ceil(maxWaitSeconds)}s'`);
      await client.query('SET statement_timeout = 0');
      for (const kind of ['audio', 'transcripts'] as const) await pause.acquire(kind, onWait);
      return pause;
    } catch (error) {
      await pause.close();
      if (getSqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      throw new DeletionsInProgressError(
        'Another backup is at work, or a processor did not come to the end of what it deletes.',
        { cause: error },
      );
    }
  }

  private async acquire(kind: DeletableContentKind, onWait: () => void): Promise<void> {
    const lock = [DELETION_LOCK_ID, LOCK_KEYS[kind]];
    const { rows } = await this.client.query<{ acquired: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS acquired',
      lock,
    );
    if (rows[0]?.acquired !== true) {
      onWait();
      await this.client.query('SELECT pg_advisory_lock($1, $2)', lock);
    }
    this.heldLocks.add(kind);
  }

  async release(kind: DeletableContentKind): Promise<void> {
    if (this.heldLocks.delete(kind) && !this.connectionLost.aborted)
      await this.client.query('SELECT pg_advisory_unlock($1, $2)', [DELETION_LOCK_ID, LOCK_KEYS[kind]]);
  }

  async close(): Promise<void> {
    clearInterval(this.pings);
    await this.client.end().catch(() => undefined);
  }
}
