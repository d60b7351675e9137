import { findNearestName } from '@app/errors';
import { Injectable, type Type } from '@nestjs/common';
import { Command, type CommandMetadata, CommandRunner, Option } from 'nest-commander';
import { LazyAdminServices } from './lazy-admin-services.js';
import { CommandError } from './output.js';

export interface CommandOption {
  flags: string;
  description: string;
  required?: boolean;
  /** By default the text, or true for an option without a value. */
  parse?: (text: string, optionName: string) => unknown;
}

/** The options of a command, in the order of its help. nest-commander reads each from the metadata of a method. */
export function WithOptions(...options: CommandOption[]): ClassDecorator {
  return ({ prototype }) => {
    for (const { parse = (text: string | undefined) => text ?? true, ...metadata } of options) {
      const [optionName = ''] = metadata.flags.split(' ');
      const value = (text: string) => parse(text, optionName);
      Object.defineProperty(prototype, optionName, { value });
      Option(metadata)(prototype as object, optionName, { value });
    }
  };
}

/** The name of a class has the word of its command: `ShowStoreCommand` is `store show`. */
@Injectable()
@WithOptions({ flags: '--json', description: 'print one JSON value' })
export abstract class OperatorCommand extends CommandRunner {
  constructor(protected readonly context: LazyAdminServices) {
    super();
  }

  /** By default commander ignores arguments that the command does not have, such as the second word of a name without quotes. */
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    return super.setCommand(command.allowExcessArguments(false));
  }
}

/** Without a subcommand it prints its help and fails. */
export abstract class ParentCommand extends CommandRunner {
  async run([unknown]: string[]): Promise<void> {
    if (unknown !== undefined) throw new CommandError(describeUnknownCommand(unknown, this.command.commands));
    this.command.outputHelp({ error: true });
    process.exitCode = 1;
  }
}

/** @returns the providers of the group and its commands */
export function createParentCommandProviders(
  metadata: Pick<CommandMetadata, 'name' | 'description'>,
  subCommands: Type<CommandRunner>[],
): Type<CommandRunner>[] {
  @Command({ ...metadata, subCommands })
  class Group extends ParentCommand {}
  return [Group, ...subCommands];
}

/** In the words of commander, which reports unknown commands of the program itself only. */
function describeUnknownCommand(unknown: string, known: readonly { name(): string }[]): string {
  const nearest = findNearestName(
    unknown,
    known.map((command) => command.name()),
  );
  const suggestion = nearest === undefined ? '' : `\n(Did you mean ${nearest}?)`;
  return `error: unknown command '${unknown}'${suggestion}`;
}
