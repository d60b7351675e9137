import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './create-index.js';

export class FailedDeliveries1795904000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'webhook_delivery_failed_at',
      `ON "webhook_delivery" ("account_id", "finished_at", "id") WHERE "state" = 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "webhook_delivery_failed_at"');
  }
}
