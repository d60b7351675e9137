import type { DispatcherOptions } from '@app/webhooks';

export const WEBHOOK_DISPATCH_OPTIONS = Symbol('WEBHOOK_DISPATCH_OPTIONS');

export interface WebhookDispatchOptions {
  /** Number of concurrent attempts of this process. */
  concurrency: number;
  /** Delays before the second, third and fourth attempt. */
  backoffSeconds: readonly number[];
  /** Lifetime of the download URL in a webhook, in seconds. */
  downloadSeconds: number;
  logger: DispatcherOptions['logger'];
  onAttempt?: DispatcherOptions['onAttempt'];
}
