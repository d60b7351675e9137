import { Command } from 'nest-commander';
import { CommandGroup } from '../json-command.js';
import { AdoptStoreCommand } from './adopt-store.command.js';
import { OrphansCommand } from './orphans.command.js';
import { ReconcileStoreCommand } from './reconcile-store.command.js';
import { ShowStoreCommand } from './show-store.command.js';

@Command({
  name: 'store',
  description: 'the object store: its installation, and orphans',
  subCommands: [ShowStoreCommand, AdoptStoreCommand, ReconcileStoreCommand, OrphansCommand],
})
class StoreCommand extends CommandGroup {}

export const STORE_COMMANDS = [
  StoreCommand,
  ShowStoreCommand,
  AdoptStoreCommand,
  ReconcileStoreCommand,
  OrphansCommand,
];
