import { rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';
import { SealBroken, type Sealed, Sealer } from './sealer.js';
import { newSigningSecret } from './signature.js';

export interface SigningSecretsOptions {
  /** 32 bytes. */
  encryptionKey: Buffer;
  /** Earlier keys; what they sealed is sealed anew when it is next needed. */
  retiredKeys?: readonly Buffer[];
}

/** The signing secret of each organisation, made when it is first needed. */
export class SigningSecrets {
  private readonly sealer: Sealer;

  constructor(
    private readonly dataSource: DataSource,
    { encryptionKey, retiredKeys }: SigningSecretsOptions,
  ) {
    this.sealer = new Sealer(encryptionKey, retiredKeys);
  }

  /** @throws SealBroken when it was sealed with a key that is gone */
  async reveal(accountId: string): Promise<string> {
    const kept = (await this.read(accountId)) ?? (await this.create(accountId));
    const secret = this.sealer.open(kept, accountId).toString();
    if (this.sealer.isOutdated(kept)) await this.reseal(accountId, kept, secret);
    return secret;
  }

  /** @returns the new secret; webhooks sent from now on are signed with it */
  async rotate(accountId: string): Promise<string> {
    const secret = newSigningSecret();
    const { keyId, sealed } = this.sealer.seal(Buffer.from(secret), accountId);
    await this.dataSource.query(
      `INSERT INTO webhook_secret (account_id, key_id, sealed) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE SET key_id = $2, sealed = $3, created_at = now()`,
      [accountId, keyId, sealed],
    );
    return secret;
  }

  /**
   * Seals anew what is still sealed with a retired key, `batch` rows at a time. Each row is written only if it is still
   * what was read, so that it may be ended at any time, started over, and run beside a service that rotates secrets.
   * @returns how many were sealed anew
   * @throws SealBroken naming the organisation whose secret none of the keys opens; those before it are done
   */
  async resealAll(batch = 100): Promise<number> {
    let moved = 0;
    for (let after: string | null = null; ;) {
      const rows: (Sealed & { accountId: string })[] = await rowsOf(
        this.dataSource,
        `SELECT account_id AS "accountId", key_id AS "keyId", sealed FROM webhook_secret
         WHERE key_id <> $1 AND ($2::uuid IS NULL OR account_id > $2) ORDER BY account_id LIMIT $3`,
        [this.sealer.currentId, after, batch],
      );
      for (const { accountId, ...old } of rows)
        if (await this.reseal(accountId, old, this.openOf(accountId, old))) moved += 1;
      after = rows.at(-1)?.accountId ?? null;
      if (rows.length < batch) return moved;
    }
  }

  /** How many secrets are still sealed with another key than the current one. */
  async outdated(): Promise<number> {
    const [row] = await rowsOf<{ left: number }>(
      this.dataSource,
      'SELECT count(*) AS left FROM webhook_secret WHERE key_id <> $1',
      [this.sealer.currentId],
    );
    return row?.left ?? 0;
  }

  private openOf(accountId: string, sealed: Sealed): string {
    try {
      return this.sealer.open(sealed, accountId).toString();
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new SealBroken(`Signing secret of organisation ${accountId}: ${error.message}`, { cause: error });
    }
  }

  private async read(accountId: string): Promise<Sealed | undefined> {
    const [row] = await rowsOf<Sealed>(
      this.dataSource,
      'SELECT key_id AS "keyId", sealed FROM webhook_secret WHERE account_id = $1',
      [accountId],
    );
    return row;
  }

  /** Of several that make one at once, the first decides for all. */
  private async create(accountId: string): Promise<Sealed> {
    const made = this.sealer.seal(Buffer.from(newSigningSecret()), accountId);
    await this.dataSource.query(
      'INSERT INTO webhook_secret (account_id, key_id, sealed) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [accountId, made.keyId, made.sealed],
    );
    const kept = await this.read(accountId);
    if (!kept) throw new Error('The organisation of a signing secret is gone.');
    return kept;
  }

  /** @returns false when it was sealed anew or rotated by somebody else meanwhile */
  private async reseal(accountId: string, old: Sealed, secret: string): Promise<boolean> {
    const { keyId, sealed } = this.sealer.seal(Buffer.from(secret), accountId);
    const written = await rowsOf(
      this.dataSource,
      'UPDATE webhook_secret SET key_id = $3, sealed = $4 WHERE account_id = $1 AND sealed = $2 RETURNING account_id',
      [accountId, old.sealed, keyId, sealed],
    );
    return written.length === 1;
  }
}
