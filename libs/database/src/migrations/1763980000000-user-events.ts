import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the events of one user that belong to no account. */
export class UserEvents1763980000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX "audit_event_user" ON "audit_event" ("actor_id", "id") WHERE account_id IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "audit_event_user"');
  }
}
