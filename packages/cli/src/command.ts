import type { Zephyr } from 'zephyr-client';

/** An option of a command. A boolean has no value. */
export interface OptionSpec {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  /** Name of the value in the help. A shell completes `FILE`, `PATH` and `DIR`. */
  value?: string;
  /** Values that a shell completes. */
  choices?: readonly string[];
  help: string;
}

export type OptionValues = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Command {
  name: string;
  /** One line without a full stop. */
  summary: string;
  /** What follows the name, such as `FILE...`. */
  usage: string;
  /** Paragraphs of the help and the manual page. */
  description: string;
  options: Record<string, OptionSpec>;
  /** Words that a shell completes as first argument. */
  words?: readonly string[];
  /** What else a shell completes as argument; without it nothing. */
  arguments?: 'files' | 'folders';
  /** For a command that goes on where it was: what to do after Ctrl-C, in a sentence. */
  adviseAfterInterruption?(positionals: readonly string[], options: OptionValues): string;
  /** @returns the exit code */
  run(context: CliContext, positionals: string[], options: OptionValues): Promise<number>;
}

export interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Whether nobody reads it any more. What is written then is dropped. */
  readonly isClosed?: boolean;
}

/** The world of a command, which tests replace. */
export interface CliContext {
  /** Data. */
  stdout: OutputStream;
  /** Everything else. */
  stderr: OutputStream;
  stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  env: Record<string, string | undefined>;
  /** Unknown if neither the environment nor the list of users has one. */
  homeFolder: string | undefined;
  /** Aborts with an `InterruptedError` at Ctrl-C, SIGTERM and SIGHUP. */
  signal: AbortSignal;
  commands: readonly Command[];
  version: string;
  /** Asks on the terminal, without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** @throws NotSignedInError without a key */
  connect(options: OptionValues, maxRetries?: number): Promise<Zephyr>;
}

/** Names of files may contain control characters, which a terminal would obey. */
export function printSanitizedLine(output: OutputStream, text: string): void {
  output.write(`${text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD')}\n`);
}

export function printJson(context: CliContext, value: unknown): void {
  printSanitizedLine(context.stdout, JSON.stringify(value));
}

/** The value of an option of type `string` that may be given once. */
export function getStringOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be repeated. */
export function getStringListOption(options: OptionValues, name: string): string[] {
  const value = options[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
