import { deliveriesHeldSince } from '@app/webhooks';
import type { DataSource } from 'typeorm';
import { type Finding, ok, warning } from './finding.js';

export async function checkWebhooks(dataSource: DataSource): Promise<Finding> {
  const since = await deliveriesHeldSince(dataSource);
  if (since === null) return ok('webhooks', 'sent as they become due');
  return warning(
    'webhooks',
    `held since ${since.toISOString()}, by a restore or by \`webhooks hold\``,
    'No webhook is sent until `webhooks release`.',
  );
}
