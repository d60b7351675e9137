import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { CommandMetadata, CommandRunner, OptionMetadata } from 'nest-commander';
import { CommandMeta, OptionMeta, SubCommandMeta } from 'nest-commander/src/constants.js';
import { AdminModule } from '../admin.module.js';

/** A command that is no group. */
export interface DeclaredOperatorCommand {
  /** Full, such as `secrets service-secret add`. */
  name: string;
  /** Such as `--json`. */
  options: string[];
}

export function listOperatorCommands(): DeclaredOperatorCommand[] {
  const providers = Reflect.getMetadata('providers', AdminModule) as Type<CommandRunner>[];
  return providers.flatMap((type) => {
    const metadata = Reflect.getMetadata(CommandMeta, type) as CommandMetadata | undefined;
    return metadata === undefined ? [] : listCommandsBelow(type, metadata, []);
  });
}

function listCommandsBelow(
  type: Type<CommandRunner>,
  { name, subCommands = [] }: CommandMetadata,
  parents: string[],
): DeclaredOperatorCommand[] {
  const path = [...parents, name];
  if (subCommands.length === 0) return [{ name: path.join(' '), options: listOptions(type.prototype) }];
  return subCommands.flatMap((each) =>
    listCommandsBelow(each, Reflect.getMetadata(SubCommandMeta, each) as CommandMetadata, path),
  );
}

/** Options of the command's class and of those that it extends. */
function listOptions(prototype: object | null): string[] {
  if (prototype === null) return [];
  const own = Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
    if (typeof value !== 'function') return [];
    const option = Reflect.getMetadata(OptionMeta, value as object) as OptionMetadata | undefined;
    return option?.flags.match(/--[\w-]+/g) ?? [];
  });
  return [...own, ...listOptions(Object.getPrototypeOf(prototype) as object | null)];
}
