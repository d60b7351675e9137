import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "audio_intake" (
    "job_id" uuid NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "expires_at" timestamptz(6) NOT NULL,
    "abandoned_at" timestamptz(6),
    CONSTRAINT "audio_intake_pk" PRIMARY KEY ("job_id")
  )`,
  `CREATE TABLE "orphan_observation" (
    "key" text NOT NULL,
    "upload_id" text NOT NULL,
    "first_seen_at" timestamptz(6) NOT NULL DEFAULT now(),
    "last_seen_at" timestamptz(6) NOT NULL DEFAULT now(),
    "observations" integer NOT NULL DEFAULT 1,
    CONSTRAINT "orphan_observation_pk" PRIMARY KEY ("key", "upload_id")
  )`,
];

const DOWN = [`DROP TABLE "orphan_observation"`, `DROP TABLE "audio_intake"`];

export class OrphanObservations1763861000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
