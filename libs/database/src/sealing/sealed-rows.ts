import type { DataSource } from 'typeorm';
import { rowsOf } from '../rows.js';
import { SealBroken, type Sealed, type Sealer } from './sealer.js';

/** A table whose rows hold something sealed, in the columns `key_id` and `sealed`. */
export interface SealedTable {
  table: string;
  /** Columns of the primary key: what is sealed in a row is bound to them. */
  key: readonly string[];
  /** Says whose a row is, for people. */
  nameOf: (key: readonly string[]) => string;
}

export const SEALED_ANSWERS: SealedTable = {
  table: 'idempotency_key',
  key: ['account_id', 'route', 'key'],
  nameOf: ([accountId, route, key]) => `Answer to ${route} under the key "${key}" of account ${accountId}`,
};

export const SEALED_BODIES: SealedTable = {
  table: 'webhook_delivery',
  key: ['id'],
  nameOf: ([id]) => `Text of webhook ${id}`,
};

export const SEALED_HASHING_KEY: SealedTable = {
  table: 'hashing_key',
  key: ['id'],
  nameOf: () => 'The key that API keys are hashed with',
};

/** Bound to the account as the current ones are: a rotation moves a secret as it is. */
export const SEALED_PREVIOUS_SECRETS: SealedTable = {
  table: 'webhook_previous_secret',
  key: ['account_id'],
  nameOf: ([accountId]) => `Previous signing secret of account ${accountId}`,
};

export const SEALED_SECRETS: SealedTable = {
  table: 'webhook_secret',
  key: ['account_id'],
  nameOf: ([accountId]) => `Signing secret of account ${accountId}`,
};

interface Row extends Sealed {
  key: string[];
}

/** What is sealed in the rows of a table: sealed for a row, opened, and sealed anew when the key changes. */
export class SealedRows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
    private readonly of: SealedTable,
  ) {}

  /** @param key of the row, in the order of its columns */
  seal(key: readonly string[], secret: Buffer): Sealed {
    return this.sealer.seal(secret, key.join(' '));
  }

  /** @throws SealBroken saying whose it is */
  open(key: readonly string[], sealed: Sealed): Buffer {
    try {
      return this.sealer.open(sealed, key.join(' '));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new SealBroken(`${this.of.nameOf(key)}: ${error.message}`, { cause: error });
    }
  }

  /**
   * Seals a row anew if its key is on the way out, and if it is still what was read.
   * @returns false when nothing was written
   * @throws SealBroken
   */
  async reseal(key: readonly string[], old: Sealed): Promise<boolean> {
    if (!this.sealer.isOutdated(old)) return false;
    const { keyId, sealed } = this.seal(key, this.open(key, old));
    const { table, key: columns } = this.of;
    const row = columns.map((column, at) => `${column} = $${at + 4}`).join(' AND ');
    const written = await rowsOf(
      this.dataSource,
      `UPDATE ${table} SET key_id = $2, sealed = $3 WHERE sealed = $1 AND ${row} RETURNING key_id`,
      [old.sealed, keyId, sealed, ...key],
    );
    return written.length === 1;
  }

  /**
   * Seals anew what is still sealed with a retired key, `batch` rows at a time. It may be ended at any time, started
   * over, and run beside a service that writes the same rows.
   * @returns how many were sealed anew
   * @throws SealBroken naming the row that none of the keys opens; those before it are done
   */
  async resealAll(batch = 100): Promise<number> {
    let moved = 0;
    for (let after: string[] = []; ;) {
      const rows = await this.outdatedAfter(after, batch);
      for (const { key, ...old } of rows) if (await this.reseal(key, old)) moved += 1;
      after = rows.at(-1)?.key ?? after;
      if (rows.length < batch) return moved;
    }
  }

  /** How many rows are still sealed with another key than the current one. */
  async outdated(): Promise<number> {
    const [row] = await rowsOf<{ left: number }>(
      this.dataSource,
      `SELECT count(*) AS left FROM ${this.of.table} WHERE key_id <> $1`,
      [this.sealer.currentId],
    );
    return row?.left ?? 0;
  }

  private outdatedAfter(after: readonly string[], batch: number): Promise<Row[]> {
    const { table, key } = this.of;
    const columns = key.join(', ');
    const last = after.map((_, at) => `$${at + 3}`).join(', ');
    return rowsOf<Row>(
      this.dataSource,
      `SELECT ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS key, key_id AS "keyId", sealed
       FROM ${table} WHERE key_id <> $1 ${after.length > 0 ? `AND (${columns}) > (${last})` : ''}
       ORDER BY ${columns} LIMIT $2`,
      [this.sealer.currentId, batch, ...after],
    );
  }
}

/** Everything that the service's sealer encrypts. What API keys are hashed with has a key of its own, and no program starts without it. */
export const ENCRYPTED_TABLES: readonly SealedTable[] = [
  SEALED_SECRETS,
  SEALED_PREVIOUS_SECRETS,
  SEALED_ANSWERS,
  SEALED_BODIES,
];
