import { rowsOf, SEALED_SECRETS, type Sealed, SealedRows, type Sealer } from '@app/database';
import type { DataSource } from 'typeorm';
import { newSigningSecret } from './signature.js';

/** The signing secret of each organisation, made when it is first needed, sealed anew when its key is retired. */
export class SigningSecrets {
  private readonly rows: SealedRows;

  constructor(
    private readonly dataSource: DataSource,
    sealer: Sealer,
  ) {
    this.rows = new SealedRows(dataSource, sealer, SEALED_SECRETS);
  }

  /** @throws SealBroken when it was sealed with a key that is gone */
  async reveal(accountId: string): Promise<string> {
    const kept = (await this.read(accountId)) ?? (await this.create(accountId));
    const secret = this.rows.open([accountId], kept).toString();
    await this.rows.reseal([accountId], kept);
    return secret;
  }

  /** @returns the new secret; webhooks sent from now on are signed with it */
  async rotate(accountId: string): Promise<string> {
    const secret = newSigningSecret();
    const { keyId, sealed } = this.rows.seal([accountId], Buffer.from(secret));
    await this.dataSource.query(
      `INSERT INTO webhook_secret (account_id, key_id, sealed) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE SET key_id = $2, sealed = $3, created_at = now()`,
      [accountId, keyId, sealed],
    );
    return secret;
  }

  /** As `SealedRows`. */
  resealAll(batch?: number): Promise<number> {
    return this.rows.resealAll(batch);
  }

  /** As `SealedRows`. */
  outdated(): Promise<number> {
    return this.rows.outdated();
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
    const made = this.rows.seal([accountId], Buffer.from(newSigningSecret()));
    await this.dataSource.query(
      'INSERT INTO webhook_secret (account_id, key_id, sealed) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [accountId, made.keyId, made.sealed],
    );
    const kept = await this.read(accountId);
    if (!kept) throw new Error('The organisation of a signing secret is gone.');
    return kept;
  }
}
