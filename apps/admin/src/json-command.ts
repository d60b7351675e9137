import { CommandRunner, Option } from 'nest-commander';

/** A command that takes `--json`. */
export abstract class JsonCommand extends CommandRunner {
  @Option({ flags: '--json', description: 'print one JSON value' })
  parseJson(): boolean {
    return true;
  }
}

/** A command that only groups others: without one of them it prints its help and fails. */
export abstract class CommandGroup extends CommandRunner {
  async run(): Promise<void> {
    this.command.outputHelp({ error: true });
    process.exitCode = 1;
  }
}
