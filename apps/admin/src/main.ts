import 'reflect-metadata';
import { reasonOf } from '@app/runtime';
import { CommandFactory } from 'nest-commander';
import { AdminModule } from './admin.module.js';

/** One clear line instead of a stack; usage errors come from the command library with the usage beside them. */
function fail(error: Error): void {
  const exitCode = (error as { exitCode?: number }).exitCode;
  if (exitCode === undefined) process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = exitCode ?? 1;
}

const app = await CommandFactory.createWithoutRunning(AdminModule, {
  logger: false,
  cliName: 'npm run --silent admin --',
  errorHandler: fail,
  serviceErrorHandler: fail,
});
try {
  await CommandFactory.runApplication(app);
} catch (error) {
  fail(error as Error);
}
await app.close().catch(fail);
process.exit();
