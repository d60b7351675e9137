import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './create-index.js';

const DOWN = [
  'DROP INDEX "job_audio_due"',
  `CREATE INDEX "job_audio_left" ON "job" ("audio_deleted_at") WHERE "audio_deleted_at" IS NULL AND "status" <> 'processing'`,
  'ALTER TABLE "job" DROP COLUMN "audio_delete_from"',
];

/**
 * Processors of the previous version delete without a claim, which only repeats deletions. Repeatable, because it has no
 * transaction.
 */
export class AudioDeletionClaims1795580700000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" ADD COLUMN IF NOT EXISTS "audio_delete_from" timestamptz(6)');
    // An expression, which entities cannot describe.
    await createIndex(
      runner,
      'job_audio_due',
      `ON "job" ((COALESCE("audio_delete_from", "finished_at")))
       WHERE "audio_deleted_at" IS NULL AND "status" <> 'processing'`,
    );
    await dropIndex(runner, 'job_audio_left');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
