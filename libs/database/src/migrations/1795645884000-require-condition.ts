import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ends a transaction whose statements were sent at once, because its program cannot look at their rows in between. */
const REQUIRE_CONDITION = `
  CREATE FUNCTION require_condition(holds boolean, requirement text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF holds THEN RETURN true; END IF;
    RAISE EXCEPTION USING ERRCODE = 'ZR001', MESSAGE = requirement;
  END $$`;

export class RequireCondition1795645884000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REQUIRE_CONDITION);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION require_condition(boolean, text)');
  }
}
