import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Also takes back what the role was granted, where there is one: it may be of use to another database of the server. */
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
 * Removes the policies that a migration once made, which is gone since: statements for an account cannot reach the rows
 * of others by themselves now. There is no way back.
 */
export class NoPolicies1763760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(): Promise<void> {
    // Nothing that a program needs was taken away.
  }
}
