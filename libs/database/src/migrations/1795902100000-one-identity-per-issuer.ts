import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './create-index.js';

/** If two identities were linked at the same moment, the first one stays. */
export class OneIdentityPerIssuer1795902100000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM "external_identity" later USING "external_identity" first
       WHERE later.issuer = first.issuer AND later.user_id = first.user_id
         AND (later.created_at, later.subject) > (first.created_at, first.subject)`,
    );
    await createIndex(
      runner,
      'external_identity_issuer_user',
      'ON "external_identity" ("issuer", "user_id")',
      { unique: true },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "external_identity_issuer_user"');
  }
}
