import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "command_line_sign_in" (
    "device_code_hash" bytea NOT NULL,
    "user_code_hash" bytea NOT NULL,
    "machine" text NOT NULL,
    "address" text,
    "account_id" uuid,
    "approved_by" uuid,
    "key_name" text,
    "key_expires_at" timestamptz(6),
    "polled_at" timestamptz(6),
    "expires_at" timestamptz(6) NOT NULL,
    CONSTRAINT "command_line_sign_in_pk" PRIMARY KEY ("device_code_hash")
  )`,
  `CREATE UNIQUE INDEX "command_line_sign_in_user_code" ON "command_line_sign_in" ("user_code_hash")`,
  `CREATE INDEX "command_line_sign_in_expiry" ON "command_line_sign_in" ("expires_at")`,
  `ALTER TABLE "command_line_sign_in" ADD CONSTRAINT "command_line_sign_in_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "command_line_sign_in" ADD CONSTRAINT "command_line_sign_in_user_fk" FOREIGN KEY ("approved_by") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

const DOWN = ['DROP TABLE "command_line_sign_in"'];

export class CommandLineSignIns1795660000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
