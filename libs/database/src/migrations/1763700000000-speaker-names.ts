import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SpeakerNames1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" ADD "speaker_names" jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" DROP COLUMN "speaker_names"');
  }
}
