import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles belong to the server: another database of it may have made this one already, or be making it now. */
const ROLE = `DO $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'zephyr_tenant') THEN
      BEGIN
        CREATE ROLE zephyr_tenant NOLOGIN NOINHERIT;
      EXCEPTION
        WHEN duplicate_object OR unique_violation THEN NULL;
        WHEN insufficient_privilege THEN
          RAISE EXCEPTION 'the database user may not create roles: have an administrator run CREATE ROLE zephyr_tenant NOLOGIN; GRANT zephyr_tenant TO %', quote_ident(current_user);
      END;
    END IF;
    IF NOT pg_has_role(current_user, 'zephyr_tenant', 'MEMBER') THEN
      EXECUTE format('GRANT zephyr_tenant TO %I', current_user);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO zephyr_tenant', current_schema());
  END $$`;

const UP = [
  ROLE,
  `GRANT SELECT ON "job", "job_event" TO zephyr_tenant`,
  `ALTER TABLE "job" ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE "job_event" ENABLE ROW LEVEL SECURITY`,
  `CREATE POLICY "job_of_account" ON "job" FOR SELECT TO zephyr_tenant
     USING ("account_id" = NULLIF(current_setting('zephyr.account', true), '')::uuid)`,
  // Asks "job" under the same policy.
  `CREATE POLICY "job_event_of_account" ON "job_event" FOR SELECT TO zephyr_tenant
     USING (EXISTS (SELECT FROM "job" WHERE "job"."id" = "job_event"."job_id"))`,
];

/** The role stays: other databases of the server may use it. */
const DOWN = [
  `DROP POLICY "job_event_of_account" ON "job_event"`,
  `DROP POLICY "job_of_account" ON "job"`,
  `ALTER TABLE "job_event" DISABLE ROW LEVEL SECURITY`,
  `ALTER TABLE "job" DISABLE ROW LEVEL SECURITY`,
  `REVOKE SELECT ON "job", "job_event" FROM zephyr_tenant`,
];

export class Tenants1763710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
