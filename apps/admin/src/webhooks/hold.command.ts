import {
  deliveriesHeldSince,
  holdDeliveries,
  countPendingDeliveries,
  releaseDeliveries,
} from '@app/webhooks';

import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';

@SubCommand({ name: 'hold', description: 'send no webhooks until `webhooks release`; they stay pending' })
export class HoldWebhooksCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await holdDeliveries(dataSource);
    const since = (await deliveriesHeldSince(dataSource))?.toISOString() ?? null;
    printResult(
      options,
      { held_since: since },
      () => `Webhooks are held since ${since}: \`webhooks release\` sends them.`,
    );
  }
}

@SubCommand({
  name: 'release',
  description: 'send the webhooks that a restore or `webhooks hold` is holding',
})
export class ReleaseWebhooksCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const released = await releaseDeliveries(dataSource);
    const pending = await countPendingDeliveries(dataSource);
    printResult(options, { released, pending }, () =>
      released ? `${pending} webhooks are sent as they become due.` : 'No webhooks were held.',
    );
  }
}
