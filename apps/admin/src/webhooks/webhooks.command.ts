import { Command } from 'nest-commander';
import { CommandGroup } from '../json-command.js';
import { HoldWebhooksCommand, ReleaseWebhooksCommand } from './hold.command.js';
import { ListAttemptsCommand, ListDeliveriesCommand } from './list-deliveries.command.js';
import { ReplayCommand } from './replay.command.js';
import { RevealSecretCommand, RotateSecretCommand, WebhookSecretCommand } from './secret.command.js';

const SUB_COMMANDS = [
  ListDeliveriesCommand,
  ListAttemptsCommand,
  ReplayCommand,
  HoldWebhooksCommand,
  ReleaseWebhooksCommand,
  WebhookSecretCommand,
];

@Command({
  name: 'webhooks',
  description: 'webhook deliveries and signing secrets',
  subCommands: SUB_COMMANDS,
})
export class WebhooksCommand extends CommandGroup {}

export const WEBHOOK_COMMANDS = [WebhooksCommand, ...SUB_COMMANDS, RevealSecretCommand, RotateSecretCommand];
