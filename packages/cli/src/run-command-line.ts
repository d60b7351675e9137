import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Command, type CliContext, type OptionValues, printLine } from './command.js';
import { describeError, EXIT_CODE_BY_NAME, getExitCode, UsageError } from './errors.js';
import { COMMON_OPTION_SPECS } from './common-options.js';
import { renderCommandHelp, renderGeneralHelp } from './help/help.js';

/** Runs a command line without the name of the program. @returns the exit code */
export async function runCommandLine(context: CliContext, parameters: readonly string[]): Promise<number> {
  try {
    return await dispatch(context, parameters);
  } catch (error) {
    const cause = context.signal.aborted ? context.signal.reason : error;
    printLine(context.stderr, `zephyr: ${describeError(cause)}`);
    if (cause instanceof UsageError) printLine(context.stderr, getHint(context.commands, parameters));
    return getExitCode(cause);
  }
}

async function dispatch(context: CliContext, [name, ...rest]: readonly string[]): Promise<number> {
  const { commands, stdout, stderr, version } = context;
  if (name === '--version') {
    printLine(stdout, version);
    return EXIT_CODE_BY_NAME.ok;
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    stdout.write(renderGeneralHelp(commands));
    return EXIT_CODE_BY_NAME.ok;
  }
  if (name === undefined) {
    stderr.write(renderGeneralHelp(commands));
    return EXIT_CODE_BY_NAME.usage;
  }
  const [wanted, parameters] = name === 'help' ? [rest[0], ['--help']] : [name, rest];
  const command = commands.find((each) => each.name === wanted);
  if (command === undefined) throw new UsageError(`${wanted} is no command.`);
  const { values, positionals } = parse(command, parameters);
  if (values['help'] === true) {
    stdout.write(renderCommandHelp(command));
    return EXIT_CODE_BY_NAME.ok;
  }
  return command.run(context, positionals, values);
}

/** @throws UsageError */
function parse(
  command: Command,
  parameters: readonly string[],
): { values: OptionValues; positionals: string[] } {
  const specs = Object.entries({ ...command.options, ...COMMON_OPTION_SPECS });
  const options = Object.fromEntries(
    specs.map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  ) satisfies ParseArgsConfig['options'];
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split('. To specify')[0] as string, { cause: error });
  }
}

function getHint(commands: readonly Command[], [name]: readonly string[]): string {
  const isCommand = commands.some((command) => command.name === name);
  return `Run: zephyr ${isCommand ? `${name} ` : ''}--help`;
}
