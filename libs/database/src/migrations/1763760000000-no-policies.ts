import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only revokes the privileges of the role, because other databases of the server may use it. */
const REVOKE = `DO $$
  BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'zephyr_tenant') THEN
      REVOKE SELECT ON "job", "job_event" FROM zephyr_tenant;
      EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM zephyr_tenant', current_schema());
    END IF;
  END $$`;

const UP = [
  `DROP POLICY IF EXISTS "job_event_of_account" ON "job_event"`,
  `DROP POLICY IF EXISTS "job_of_account" ON "job"`,
  `ALTER TABLE "job_event" DISABLE ROW LEVEL SECURITY`,
  `ALTER TABLE "job" DISABLE ROW LEVEL SECURITY`,
  REVOKE,
];

/**
 * Removes the policies of an earlier migration; the account scope of statements replaces them. Irreversible.
 */
export class NoPolicies1763760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(): Promise<void> {
    // Programs need nothing that `up` removed.
  }
}
