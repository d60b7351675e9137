import { Command } from 'nest-commander';
import { CommandGroup } from '../json-command.js';
import { ListModelsCommand } from './list-models.command.js';
import { PullModelsCommand } from './pull-models.command.js';
import { RemoveModelCommand } from './remove-model.command.js';
import { VerifyModelsCommand } from './verify-models.command.js';

const SUB_COMMANDS = [ListModelsCommand, PullModelsCommand, VerifyModelsCommand, RemoveModelCommand];

@Command({
  name: 'models',
  description: 'model files of recognisers and auxiliary models',
  subCommands: SUB_COMMANDS,
})
export class ModelsCommand extends CommandGroup {}

export const MODEL_COMMANDS = [ModelsCommand, ...SUB_COMMANDS];
