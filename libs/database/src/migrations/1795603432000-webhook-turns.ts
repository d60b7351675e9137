import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './create-index.js';

const AWAIT_TURNS_OF_ADDED_DELIVERIES = `
  CREATE OR REPLACE FUNCTION await_turns_of_added_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM await_turn('webhook', account_id)
    FROM (SELECT DISTINCT account_id FROM added WHERE state = 'pending' ORDER BY account_id) waiting;
    RETURN NULL;
  END $$`;

const AWAIT_TURN_OF_DELIVERY = `
  CREATE OR REPLACE FUNCTION await_turn_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM await_turn('webhook', NEW.account_id);
    RETURN NULL;
  END $$`;

/** Its statements see what was committed before they began. A leased delivery is due again when its lease ends. */
const END_TURN_WITHOUT_DELIVERIES = `
  CREATE OR REPLACE FUNCTION end_turn_without_deliveries(given_account uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM turn WHERE queue = 'webhook' AND account_id = given_account FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM FROM webhook_delivery
    WHERE state = 'pending' AND account_id = given_account AND next_attempt_at <= now()
      AND (lease_until IS NULL OR lease_until <= now()) LIMIT 1;
    IF FOUND THEN RETURN; END IF;
    UPDATE turn SET waiting = false, wake_at = LEAST(
      (SELECT min(next_attempt_at) FROM webhook_delivery
       WHERE state = 'pending' AND account_id = given_account AND next_attempt_at > now()),
      (SELECT min(lease_until) FROM webhook_delivery
       WHERE state = 'pending' AND account_id = given_account AND next_attempt_at <= now()))
    WHERE queue = 'webhook' AND account_id = given_account;
  END $$`;

/** As `take_turn` of the stages. */
const TAKE_WEBHOOK_TURN = `
  CREATE OR REPLACE FUNCTION take_webhook_turn(excluded uuid[]) RETURNS uuid LANGUAGE plpgsql AS $$
  DECLARE
    locks boolean;
    candidate record;
    delivery uuid;
    seen_turn bigint;
    seen_account uuid;
  BEGIN
    UPDATE turn SET waiting = true, wake_at = NULL WHERE (queue, account_id) IN (
      SELECT queue, account_id FROM turn WHERE queue = 'webhook' AND wake_at <= now()
      ORDER BY wake_at LIMIT 16 FOR NO KEY UPDATE SKIP LOCKED);
    FOREACH locks IN ARRAY ARRAY[true, false] LOOP
      seen_turn := -1;
      seen_account := '00000000-0000-0000-0000-000000000000';
      FOR tried IN 1..64 LOOP
        IF locks THEN
          SELECT account_id, last_turn INTO candidate FROM turn
          WHERE queue = 'webhook' AND waiting AND (last_turn, account_id) > (seen_turn, seen_account)
            AND account_id <> ALL (excluded)
          ORDER BY last_turn, account_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        ELSE
          SELECT account_id, last_turn INTO candidate FROM turn
          WHERE queue = 'webhook' AND waiting AND (last_turn, account_id) > (seen_turn, seen_account)
            AND account_id <> ALL (excluded)
          ORDER BY last_turn, account_id LIMIT 1;
        END IF;
        EXIT WHEN NOT FOUND;
        seen_turn := candidate.last_turn;
        seen_account := candidate.account_id;
        SELECT id INTO delivery FROM webhook_delivery
        WHERE state = 'pending' AND account_id = candidate.account_id AND next_attempt_at <= now()
          AND (lease_until IS NULL OR lease_until <= now())
        ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
          IF locks THEN
            UPDATE turn SET last_turn = nextval('stage_turn'), taken_at = clock_timestamp()
            WHERE queue = 'webhook' AND account_id = candidate.account_id;
          END IF;
          RETURN delivery;
        END IF;
        IF locks THEN PERFORM end_turn_without_deliveries(candidate.account_id); END IF;
      END LOOP;
    END LOOP;
    RETURN NULL;
  END $$`;

const UP = [
  AWAIT_TURNS_OF_ADDED_DELIVERIES,
  AWAIT_TURN_OF_DELIVERY,
  END_TURN_WITHOUT_DELIVERIES,
  TAKE_WEBHOOK_TURN,
  `CREATE OR REPLACE TRIGGER "webhook_delivery_added" AFTER INSERT ON "webhook_delivery" REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION await_turns_of_added_deliveries()`,
  `CREATE OR REPLACE TRIGGER "webhook_delivery_pending" AFTER UPDATE ON "webhook_delivery" FOR EACH ROW
   WHEN (NEW."state" = 'pending' AND (OLD."state" <> 'pending' OR NEW."next_attempt_at" < OLD."next_attempt_at"
     OR COALESCE(NEW."lease_until", '-infinity') < COALESCE(OLD."lease_until", '-infinity')))
   EXECUTE FUNCTION await_turn_of_delivery()`,
  `INSERT INTO "turn" ("queue", "account_id") SELECT DISTINCT 'webhook', "account_id" FROM "webhook_delivery"
   WHERE "state" = 'pending' ON CONFLICT DO NOTHING`,
];

const DOWN = [
  'DROP TRIGGER "webhook_delivery_pending" ON "webhook_delivery"',
  'DROP TRIGGER "webhook_delivery_added" ON "webhook_delivery"',
  'DROP FUNCTION take_webhook_turn(uuid[])',
  'DROP FUNCTION end_turn_without_deliveries(uuid)',
  'DROP FUNCTION await_turn_of_delivery()',
  'DROP FUNCTION await_turns_of_added_deliveries()',
  'DROP INDEX "webhook_delivery_turn"',
  `DELETE FROM "turn" WHERE "queue" = 'webhook'`,
];

/** Repeatable, because it has no transaction. */
export class WebhookTurns1795603432000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'webhook_delivery_turn',
      `ON "webhook_delivery" ("account_id", "next_attempt_at") WHERE "state" = 'pending'`,
    );
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
