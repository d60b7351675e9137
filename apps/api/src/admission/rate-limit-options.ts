import { listRateLimitNames, type RateLimitsOptions } from '@app/auth';
import { type BootContext, toSimpleLogger } from '@app/runtime';
import { Counter, type Registry } from 'prom-client';

/** Builds the options of `RateLimitsModule`: requests are counted in the store of the queues. Adds the metrics. */
export function createRateLimitOptions(
  { config, logger }: BootContext,
  registry: Registry,
): RateLimitsOptions {
  const rejected = new Counter({
    name: 'zephyr_rate_limited_total',
    help: 'Requests rejected by a rate limit, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  });
  // Present from the start, so that the first rejection is an increase.
  for (const limit of listRateLimitNames()) rejected.inc({ limit }, 0);
  const unchecked = new Counter({
    name: 'zephyr_rate_limit_fail_open_total',
    help: 'Requests accepted without counting, because the store of the rate limits did not respond.',
    registers: [registry],
  });
  const { redisUrl, redisPrefix } = config.queue;
  const { warn } = toSimpleLogger(logger);
  return {
    store:
      redisUrl === undefined ? { kind: 'postgres' } : { kind: 'redis', url: redisUrl, prefix: redisPrefix },
    factor: config.api.rateLimitFactor,
    observer: { warn, onUncounted: () => unchecked.inc() },
    onRejected: (limit) => rejected.inc({ limit }),
  };
}
