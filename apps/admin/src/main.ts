import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { packageVersion, describeError } from '@app/runtime';
import { CommandFactory } from 'nest-commander';
import { AdminModule } from './admin.module.js';
import { ignoreClosedPipes, exitAfterFlush } from './standard-streams.js';

interface NamedCommand {
  readonly parent: NamedCommand | null;
  name(): string;
  usage(): string;
}

/** One clear line instead of a stack; usage errors come from the command library with the usage beside them. */
function reportError(error: Error): void {
  const exitCode = (error as { exitCode?: number }).exitCode;
  if (exitCode === undefined) process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCode ?? 1;
}

/** How people start this program: a release has a launcher, a checkout does it by npm. */
const LAUNCHER = new URL('../../../../bin/zephyr', import.meta.url);
const PROGRAM = existsSync(LAUNCHER) ? 'zephyr' : 'npm run --silent admin --';

/** Names the program by how it is started, where the library would name its file. */
function commandUsage(command: NamedCommand): string {
  const names: string[] = [];
  for (let at = command; at.parent; at = at.parent) names.unshift(at.name());
  return [PROGRAM, ...names, command.usage()].join(' ');
}

ignoreClosedPipes();
const app = await CommandFactory.createWithoutRunning(AdminModule, {
  logger: false,
  cliName: PROGRAM,
  version: packageVersion(),
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
