import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Transactions that add stages share the lock of the row. Only a claim that finds no stage of the account takes it alone,
 * and looks again then.
 */
const AWAIT_TURN = `
  CREATE FUNCTION await_turn(given_queue text, given_account uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    is_waiting boolean;
  BEGIN
    SELECT waiting INTO is_waiting FROM turn WHERE queue = given_queue AND account_id = given_account FOR KEY SHARE;
    IF is_waiting THEN RETURN; END IF;
    INSERT INTO turn (queue, account_id) VALUES (given_queue, given_account)
    ON CONFLICT (queue, account_id) DO UPDATE SET waiting = true, wake_at = NULL;
  END $$`;

const AWAIT_TURNS_OF_ADDED_STAGES = `
  CREATE FUNCTION await_turns_of_added_stages() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM await_turn(queue, account_id)
    FROM (SELECT DISTINCT queue, account_id FROM added WHERE state = 'pending' ORDER BY queue, account_id) waiting;
    RETURN NULL;
  END $$`;

const AWAIT_TURN_OF_STAGE = `
  CREATE FUNCTION await_turn_of_stage() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM await_turn(NEW.queue, NEW.account_id);
    RETURN NULL;
  END $$`;

/** Its statements see what was committed before they began, so an account with a new stage keeps its turn. */
const END_TURN_WITHOUT_STAGES = `
  CREATE FUNCTION end_turn_without_stages(given_queue text, given_account uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    first_due timestamptz;
  BEGIN
    PERFORM FROM turn WHERE queue = given_queue AND account_id = given_account FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    SELECT min(due_at) INTO first_due FROM job_stage
    WHERE state = 'pending' AND queue = given_queue AND account_id = given_account;
    IF first_due IS NULL OR first_due > now() THEN
      UPDATE turn SET waiting = false, wake_at = first_due WHERE queue = given_queue AND account_id = given_account;
    END IF;
  END $$`;

/**
 * Passes over accounts at their limit of running stages, of which there are no more than running stages. Other claims skip
 * the account until the turn is committed, unless no other account has a stage: then they take further stages of the same
 * account without its lock.
 */
const TAKE_TURN = `
  CREATE FUNCTION take_turn(given_queue text, max_running integer) RETURNS TABLE (job_id uuid, name text)
  LANGUAGE plpgsql ROWS 1 AS $$
  #variable_conflict use_column
  DECLARE
    at_limit uuid[] := '{}';
    locks boolean;
    candidate record;
    stage record;
    seen_turn bigint;
    seen_account uuid;
  BEGIN
    UPDATE turn SET waiting = true, wake_at = NULL WHERE (queue, account_id) IN (
      SELECT queue, account_id FROM turn WHERE queue = given_queue AND wake_at <= now()
      ORDER BY wake_at LIMIT 16 FOR NO KEY UPDATE SKIP LOCKED);
    IF max_running IS NOT NULL THEN
      at_limit := ARRAY(SELECT account_id FROM job_stage WHERE state = 'running' AND queue = given_queue
                        GROUP BY account_id HAVING count(*) >= max_running);
    END IF;
    FOREACH locks IN ARRAY ARRAY[true, false] LOOP
      seen_turn := -1;
      seen_account := '00000000-0000-0000-0000-000000000000';
      FOR tried IN 1..64 LOOP
        IF locks THEN
          SELECT account_id, last_turn INTO candidate FROM turn
          WHERE queue = given_queue AND waiting AND (last_turn, account_id) > (seen_turn, seen_account)
            AND account_id <> ALL (at_limit)
          ORDER BY last_turn, account_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        ELSE
          SELECT account_id, last_turn INTO candidate FROM turn
          WHERE queue = given_queue AND waiting AND (last_turn, account_id) > (seen_turn, seen_account)
            AND account_id <> ALL (at_limit)
          ORDER BY last_turn, account_id LIMIT 1;
        END IF;
        EXIT WHEN NOT FOUND;
        seen_turn := candidate.last_turn;
        seen_account := candidate.account_id;
        SELECT job_id, name INTO stage FROM job_stage
        WHERE state = 'pending' AND queue = given_queue AND account_id = candidate.account_id AND due_at <= now()
        ORDER BY place, job_id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
          IF locks THEN
            UPDATE turn SET last_turn = nextval('stage_turn'), taken_at = clock_timestamp()
            WHERE queue = given_queue AND account_id = candidate.account_id;
          END IF;
          RETURN QUERY SELECT stage.job_id, stage.name;
          RETURN;
        END IF;
        IF locks THEN PERFORM end_turn_without_stages(given_queue, candidate.account_id); END IF;
      END LOOP;
    END LOOP;
  END $$`;

const UP = [
  'CREATE SEQUENCE "stage_turn"',
  'ALTER TABLE "turn" ALTER COLUMN "taken_at" SET DEFAULT now()',
  `ALTER TABLE "turn" ADD "last_turn" bigint NOT NULL DEFAULT '0'`,
  'ALTER TABLE "turn" ADD "waiting" boolean NOT NULL DEFAULT true',
  'ALTER TABLE "turn" ADD "wake_at" timestamptz(6)',
  `UPDATE "turn" SET "last_turn" = ranked."rank" FROM (
     SELECT "queue", "account_id", rank() OVER (ORDER BY "taken_at") AS "rank" FROM "turn") ranked
   WHERE ranked."queue" = "turn"."queue" AND ranked."account_id" = "turn"."account_id"`,
  `SELECT setval('stage_turn', (SELECT count(*) + 1 FROM "turn"))`,
  `CREATE INDEX "turn_next" ON "turn" ("queue", "last_turn", "account_id") WHERE "waiting"`,
  `CREATE INDEX "turn_wake" ON "turn" ("queue", "wake_at") WHERE "wake_at" IS NOT NULL`,
  AWAIT_TURN,
  AWAIT_TURNS_OF_ADDED_STAGES,
  AWAIT_TURN_OF_STAGE,
  END_TURN_WITHOUT_STAGES,
  TAKE_TURN,
  `CREATE TRIGGER "job_stage_added" AFTER INSERT ON "job_stage" REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION await_turns_of_added_stages()`,
  `CREATE TRIGGER "job_stage_pending" AFTER UPDATE ON "job_stage" FOR EACH ROW
   WHEN (NEW."state" = 'pending' AND (OLD."state" <> 'pending' OR NEW."due_at" < OLD."due_at"
     OR NEW."account_id" <> OLD."account_id"))
   EXECUTE FUNCTION await_turn_of_stage()`,
  `INSERT INTO "turn" ("queue", "account_id") SELECT DISTINCT "queue", "account_id" FROM "job_stage"
   WHERE "state" = 'pending' ON CONFLICT DO NOTHING`,
];

const DOWN = [
  'DROP TRIGGER "job_stage_pending" ON "job_stage"',
  'DROP TRIGGER "job_stage_added" ON "job_stage"',
  'DROP FUNCTION take_turn(text, integer)',
  'DROP FUNCTION end_turn_without_stages(text, uuid)',
  'DROP FUNCTION await_turn_of_stage()',
  'DROP FUNCTION await_turns_of_added_stages()',
  'DROP FUNCTION await_turn(text, uuid)',
  'DROP INDEX "turn_wake"',
  'DROP INDEX "turn_next"',
  'ALTER TABLE "turn" DROP COLUMN "wake_at"',
  'ALTER TABLE "turn" DROP COLUMN "waiting"',
  'ALTER TABLE "turn" DROP COLUMN "last_turn"',
  'ALTER TABLE "turn" ALTER COLUMN "taken_at" DROP DEFAULT',
  'DROP SEQUENCE "stage_turn"',
];

/** Triggers also see the stages of programs of the previous version, which claim by their own statement. */
export class StageTurns1795599734000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
