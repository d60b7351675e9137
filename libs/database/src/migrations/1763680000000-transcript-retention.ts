import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds transcripts due for deletion without scanning all jobs. */
export class TranscriptRetention1763680000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "job_transcript_kept" ON "job" ("finished_at") WHERE "result_key" IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "job_transcript_kept"`);
  }
}
