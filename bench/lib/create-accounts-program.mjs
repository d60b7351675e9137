/** Creates the number of accounts of its argument in DATABASE_URL, and sends their ids and keys. */
import { ApiKeys } from '../../dist/libs/auth/src/index.js';
import { createAccount } from '../../dist/libs/billing/src/index.js';
import { ApiKey, createDataSource } from '../../dist/libs/database/src/index.js';
import { createBootContextAndMigrate } from '../../dist/libs/runtime/src/index.js';

const CREDITS = 1_000_000_000;

const { databaseUrl, hashingKey, release } = await createBootContextAndMigrate('admin');
const dataSource = createDataSource({ url: databaseUrl, poolSize: 2, applicationName: 'zephyr-bench' });
await dataSource.initialize();
const apiKeys = new ApiKeys(dataSource.getRepository(ApiKey), { hashingKey });
const accounts = [];
for (let count = Number(process.argv[2]); count > 0; count -= 1) {
  const accountId = await createAccount(dataSource.manager, `bench ${count}`, CREDITS);
  accounts.push({ accountId, apiKey: (await apiKeys.create(accountId, 'bench')).apiKey });
}
await dataSource.destroy();
await release();
process.send({ accounts });
