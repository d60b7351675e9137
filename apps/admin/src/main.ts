import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { describeError } from '@app/errors';
import { readPackageVersion } from '@app/runtime';
import { CommandFactory } from 'nest-commander';
import { AdminModule } from './admin.module.js';
import { ignoreClosedPipes, exitAfterFlush } from './standard-streams.js';

interface NamedCommand {
  readonly parent: NamedCommand | null;
  name(): string;
  usage(): string;
}

/** Prints one line instead of a stack; nest-commander has printed usage errors, which have an exit code. */
function reportError(error: Error): void {
  const exitCode = (error as { exitCode?: number }).exitCode;
  if (exitCode === undefined) process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCode ?? 1;
}

/** A release has a launcher; in a checkout the program is started by npm. */
const LAUNCHER = new URL('../../../../bin/zephyr', import.meta.url);
const PROGRAM = existsSync(LAUNCHER) ? 'zephyr' : 'npm run --silent admin --';

/** Shows how the program is started; commander would show the name of its file. */
function commandUsage(command: NamedCommand): string {
  const names: string[] = [];
  for (let at = command; at.parent; at = at.parent) names.unshift(at.name());
  return [PROGRAM, ...names, command.usage()].join(' ');
}

async function run(): Promise<void> {
  ignoreClosedPipes();
  const app = await CommandFactory.createWithoutRunning(AdminModule, {
    logger: false,
    cliName: PROGRAM,
    version: readPackageVersion(),
    helpConfiguration: { commandUsage },
    errorHandler: reportError,
    serviceErrorHandler: reportError,
  });
  try {
    await CommandFactory.runApplication(app);
  } catch (error) {
    reportError(error as Error);
  }
  await app.close().catch(reportError);
  await exitAfterFlush();
}

void run();
