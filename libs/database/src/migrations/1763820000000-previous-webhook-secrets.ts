import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "webhook_previous_secret" (
    "account_id" uuid NOT NULL,
    "key_id" text NOT NULL,
    "sealed" bytea NOT NULL,
    "expires_at" timestamptz(6) NOT NULL,
    CONSTRAINT "webhook_previous_secret_pk" PRIMARY KEY ("account_id")
  )`,
  `ALTER TABLE "webhook_previous_secret" ADD CONSTRAINT "webhook_previous_secret_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class PreviousWebhookSecrets1763820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "webhook_previous_secret"');
  }
}
