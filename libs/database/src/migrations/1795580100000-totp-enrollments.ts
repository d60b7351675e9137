import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "totp_enrollment" (
    "user_id" uuid NOT NULL,
    "key_id" text NOT NULL,
    "sealed" bytea NOT NULL,
    CONSTRAINT "totp_enrollment_pk" PRIMARY KEY ("user_id")
  )`,
  `ALTER TABLE "totp_enrollment" ADD CONSTRAINT "totp_enrollment_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

const DOWN = ['DROP TABLE "totp_enrollment"'];

/** Beside `totp_secret`, so that the app in use counts until its replacement has shown a code. */
export class TotpEnrollments1795580100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
