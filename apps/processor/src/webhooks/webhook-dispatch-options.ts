import type { DispatcherOptions } from '@app/webhooks';

export const WEBHOOK_DISPATCH_OPTIONS = Symbol('WEBHOOK_DISPATCH_OPTIONS');

export interface WebhookDispatchOptions {
  /** Sends of this process at once. */
  concurrency: number;
  /** Before the second, third and fourth attempt. */
  backoffSeconds: readonly number[];
  /** Seconds that the download address in a notification lives. */
  downloadSeconds: number;
  logger: DispatcherOptions['logger'];
  onAttempt?: DispatcherOptions['onAttempt'];
}
