import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Enrollments of before expire as if they had begun now. */
export class TotpEnrollmentTimes1795902000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE "totp_enrollment" ADD COLUMN "created_at" TIMESTAMP(6) WITH TIME ZONE NOT NULL DEFAULT now()',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "totp_enrollment" DROP COLUMN "created_at"');
  }
}
