import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Command, type CliContext, type OptionValues, printSanitizedLine } from './command.js';
import { describeError, EXIT_CODE_BY_NAME, getExitCode, InterruptedError, UsageError } from './errors.js';
import { COMMON_OPTION_SPECS } from './common-options.js';
import { renderCommandHelp, renderGeneralHelp } from './help/help.js';
import { findSimilarWord } from './text/find-similar-word.js';

/** Runs a command line without the name of the program. @returns the exit code */
export async function runCommandLine(context: CliContext, parameters: readonly string[]): Promise<number> {
  try {
    return await dispatch(context, parameters);
  } catch (error) {
    printSanitizedLine(context.stderr, `zephyr: ${describeError(error, context.env)}`);
    if (error instanceof UsageError)
      printSanitizedLine(context.stderr, getHint(context.commands, parameters));
    return getExitCode(error);
  }
}

async function dispatch(context: CliContext, [name, ...rest]: readonly string[]): Promise<number> {
  const { commands, stdout, stderr, version } = context;
  if (name === '--version') {
    printSanitizedLine(stdout, version);
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
  if (command === undefined)
    throw new UsageError(
      `${wanted} is no command.${suggest(
        String(wanted),
        commands.map((each) => each.name),
      )}`,
    );
  const { values, positionals } = parse(command, parameters);
  if (values['help'] === true) {
    stdout.write(renderCommandHelp(command));
    return EXIT_CODE_BY_NAME.ok;
  }
  try {
    return await command.run(context, positionals, values);
  } catch (error) {
    const { aborted, reason } = context.signal;
    if (!aborted) throw error;
    if (!(reason instanceof InterruptedError)) throw reason;
    const advice = command.adviseAfterInterruption?.(positionals, values) ?? '';
    const { message, signal } = reason;
    throw new InterruptedError(`${message} ${advice}`.trim(), { cause: error, signal });
  }
}

type OptionSpecEntries = readonly [name: string, spec: Command['options'][string]][];

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
    throw new UsageError(describeParseError(error as NodeJS.ErrnoException, specs), { cause: error });
  }
}

/** Node has several lines about values that begin with a dash. */
function describeParseError({ code, message }: NodeJS.ErrnoException, specs: OptionSpecEntries): string {
  const option = /'([^']+)'/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const flags = specs.map(([name]) => `--${name}`);
    return `${option} is no option of this command.${suggest(option, flags)}`;
  }
  if (message.includes('ambiguous')) {
    const name = specs.find(([, { short }]) => option === `-${short}`)?.[0];
    const form = name === undefined ? `${option}=-VALUE` : `${option}-VALUE or --${name}=-VALUE`;
    return `${option} needs a value. Write one that begins with a dash as ${form}.`;
  }
  return `${message}.`;
}

function suggest(typed: string, words: readonly string[]): string {
  const similar = findSimilarWord(typed, words);
  return similar === undefined ? '' : ` Did you mean ${similar}?`;
}

function getHint(commands: readonly Command[], [name]: readonly string[]): string {
  const isCommand = commands.some((command) => command.name === name);
  return `Run: zephyr ${isCommand ? `${name} ` : ''}--help`;
}
