import { DatabaseModule } from '@app/database';
import { type BeforeApplicationShutdown, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

@Module({})
class StoppingModule implements OnModuleDestroy, BeforeApplicationShutdown {
  static queryResults: unknown[] = [];

  constructor(private readonly dataSource: DataSource) {}

  async onModuleDestroy(): Promise<void> {
    StoppingModule.queryResults.push(await this.dataSource.query('SELECT 1 AS phase'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    StoppingModule.queryResults.push(await this.dataSource.query('SELECT 2 AS phase'));
  }
}

@Module({})
class RootModule {}

function start(url: string) {
  const imports = [
    DatabaseModule.forRoot({ url, poolSize: 2, applicationName: 'module-test', statementTimeoutMs: 1_234 }),
    { module: StoppingModule, global: true },
  ];
  return NestFactory.createApplicationContext(
    { module: RootModule, imports },
    { logger: false, abortOnError: false },
  );
}

describe('DatabaseModule', () => {
  it('the module provides one data source with the options of the process', async () => {
    const app = await start(database.url);
    const [row] = await app
      .get(DataSource)
      .query(
        `SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS ms`,
      );
    expect(row).toEqual({ name: 'module-test', ms: '1234ms' });
    await app.close();
  });

  it('the connections are closed after every module has shut down', async () => {
    const app = await start(database.url);
    const dataSource = app.get(DataSource);
    StoppingModule.queryResults = [];
    await app.close();
    expect(StoppingModule.queryResults).toEqual([[{ phase: 1 }], [{ phase: 2 }]]);
    expect(dataSource.isInitialized).toBe(false);
  });

  it('the start fails at once when the database cannot be reached', async () => {
    const startedAt = performance.now();
    await expect(start('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow('ECONNREFUSED');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
