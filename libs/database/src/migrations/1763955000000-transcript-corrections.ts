import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "transcript_correction" (
    "job_id" uuid NOT NULL,
    "segment" integer NOT NULL,
    "text" text NOT NULL,
    "updated_at" timestamptz(6) NOT NULL DEFAULT now(),
    "updated_by" uuid,
    CONSTRAINT "transcript_correction_pk" PRIMARY KEY ("job_id", "segment")
  )`,
  `ALTER TABLE "transcript_correction" ADD CONSTRAINT "transcript_correction_job_fk" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "transcript_correction" ADD CONSTRAINT "transcript_correction_user_fk" FOREIGN KEY ("updated_by") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
];

/** Programs of the previous version delete transcripts and leave their corrections, which nobody can read then. */
export class TranscriptCorrections1763955000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "transcript_correction"');
  }
}
