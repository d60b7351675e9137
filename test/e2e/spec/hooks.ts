import { silentWav } from '../support/audio.js';
import type { Client, CreatedJob } from '../support/client.js';
import type { WebhookReceiver, Reply } from '../support/webhook-receiver.js';

/** The replies of the receivers of webhooks; the last one is repeated. */
const BEHAVIOURS = {
  fine: [204],
  failing: [200],
  recovering: [500, 'reset', 201],
  down: [503],
  gone: [410],
  throttling: [429],
  moved: [302],
  hanging: ['hang', 200],
} satisfies Record<string, Reply[]>;

export type Behaviour = keyof typeof BEHAVIOURS;
export type JobsByReceiver = Record<Behaviour, CreatedJob>;

/** A job for each receiver; that of `failing` cannot be decoded, the others complete. */
export async function submitJobsWithWebhooks(
  client: Client,
  receiver: WebhookReceiver,
): Promise<JobsByReceiver> {
  const submissions = Object.entries(BEHAVIOURS).map(async ([name, replies]) => {
    const callback_url = receiver.reply(hookPath(name as Behaviour), ...replies);
    const bytes = name === 'failing' ? new Uint8Array(100) : silentWav(1);
    return [name, await client.submit(bytes, { callback_url })] as const;
  });
  return Object.fromEntries(await Promise.all(submissions)) as JobsByReceiver;
}

export function hookPath(name: Behaviour): string {
  return `/hooks/${name}`;
}
