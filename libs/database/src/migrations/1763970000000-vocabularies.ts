import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "vocabulary" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "name" text NOT NULL,
    "terms" text array NOT NULL,
    "updated_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "vocabulary_name" UNIQUE ("account_id", "name"),
    CONSTRAINT "vocabulary_pk" PRIMARY KEY ("id")
  )`,
  `ALTER TABLE "vocabulary" ADD CONSTRAINT "vocabulary_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

/** APIs of the previous version ignore the option `vocabulary`. */
export class Vocabularies1763970000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "vocabulary"');
  }
}
