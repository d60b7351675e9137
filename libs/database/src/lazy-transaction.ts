import type { PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { type BatchStatement, runStatementBatch } from './statement-batch.js';

const BEGIN: BatchStatement = { name: 'begin', text: 'BEGIN', values: [] };
const COMMIT: BatchStatement = { name: 'commit', text: 'COMMIT', values: [] };

export interface DeferredStatement extends BatchStatement {
  /** Called when the statement has run, before the commit is reported. Must not throw. */
  onRows(rows: QueryResultRow[]): void;
}

const TRANSACTIONS = new WeakMap<EntityManager, LazyTransaction>();

/**
 * A transaction that sends nothing before a response is needed: deferred statements are sent together with `BEGIN`, with
 * the next statement and with `COMMIT`. Without other statements, all of them and the commit are one round trip.
 */
export class LazyTransaction {
  readonly manager: EntityManager;
  private readonly runner: QueryRunner;
  private deferred: DeferredStatement[] = [];
  private isOpen = false;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(dataSource: DataSource) {
    this.runner = dataSource.createQueryRunner();
    this.manager = this.runner.manager;
    // TypeORM would begin another one.
    Object.assign(this.runner, { isTransactionActive: true, transactionDepth: 1 });
    const query = this.runner.query.bind(this.runner) as (...args: unknown[]) => Promise<unknown>;
    this.runner.query = (async (...args: unknown[]) => {
      await this.flush();
      return query(...args);
    }) as QueryRunner['query'];
    TRANSACTIONS.set(this.manager, this);
  }

  /** @returns undefined for the manager of anything else */
  static find(db: EntityManager): LazyTransaction | undefined {
    return TRANSACTIONS.get(db);
  }

  defer(statement: DeferredStatement): void {
    this.deferred.push(statement);
  }

  /** Together with what was deferred before. */
  async run(statement: BatchStatement): Promise<QueryResultRow[]> {
    return (await this.send([statement])).at(-1) ?? [];
  }

  async commit(): Promise<void> {
    if (this.isOpen) await this.send([COMMIT]);
    // Sent at once, they are a transaction without `BEGIN`.
    else if (this.deferred.length > 0) await this.send([], []);
  }

  /** Never throws: a lost connection has rolled back. */
  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    try {
      const client = (await this.runner.connect()) as PoolClient;
      await client.query('ROLLBACK');
    } catch {
      // The server rolls back what is not committed.
    }
  }

  async release(): Promise<void> {
    TRANSACTIONS.delete(this.manager);
    await this.runner.release();
  }

  private async flush(): Promise<void> {
    if (this.isOpen && this.deferred.length === 0) await this.sending;
    else await this.send([]);
  }

  /** Concurrent statements of a transaction follow each other, as in the driver. */
  private send(
    statements: readonly BatchStatement[],
    begin: readonly BatchStatement[] = this.isOpen ? [] : [BEGIN],
  ): Promise<QueryResultRow[][]> {
    const { deferred } = this;
    this.deferred = [];
    this.isOpen ||= begin.length > 0;
    const sent = this.sending.then(async () => {
      const client = (await this.runner.connect()) as PoolClient;
      const results = await runStatementBatch(client, [...begin, ...deferred, ...statements]);
      for (const [at, { onRows }] of deferred.entries()) onRows(results[begin.length + at] ?? []);
      return results;
    });
    this.sending = sent.catch(() => undefined);
    return sent;
  }
}
