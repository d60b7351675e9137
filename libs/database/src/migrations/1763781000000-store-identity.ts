import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "installation" ADD "installation_id" uuid NOT NULL DEFAULT gen_random_uuid()`,
  `ALTER TABLE "installation" ADD "store_id" uuid`,
  `ALTER TABLE "installation" ADD "generation" bigint NOT NULL DEFAULT '0'`,
];

const DOWN = ['generation', 'store_id', 'installation_id'].map(
  (column) => `ALTER TABLE "installation" DROP COLUMN "${column}"`,
);

export class StoreIdentity1763781000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
