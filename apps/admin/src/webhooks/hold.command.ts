import { deliveriesHeldSince, holdDeliveries, pendingDeliveries, releaseDeliveries } from '@app/webhooks';

import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';

@SubCommand({ name: 'hold', description: 'send no webhooks until `webhooks release`; they stay pending' })
export class HoldWebhooksCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    await holdDeliveries(dataSource);
    const since = (await deliveriesHeldSince(dataSource))?.toISOString() ?? null;
    print(
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
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    const released = await releaseDeliveries(dataSource);
    const pending = await pendingDeliveries(dataSource);
    print(options, { released, pending }, () =>
      released ? `${pending} webhooks are sent as they become due.` : 'No webhooks were held.',
    );
  }
}
