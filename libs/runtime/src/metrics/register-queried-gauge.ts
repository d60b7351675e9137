import { settlesWithin } from '@app/async';
import { Gauge, type Registry } from 'prom-client';
import { SingleFlightCache } from '../health/single-flight-cache.js';

/** Between the queries of one gauge. */
const CACHE_MS = 5_000;
/** A slow query must not delay the other metrics of a scrape. */
const MAX_WAIT_MS = 2_000;

/** Value by label value. */
export type GaugeValueByLabel = Record<string, number>;

export interface QueriedGaugeOptions {
  name: string;
  help: string;
  /** Set if the query returns values by label. */
  label?: string;
}

/**
 * Queried by scrapes. It has no samples while the query fails or does not return, because 0 would be wrong.
 */
export function registerQueriedGauge(
  registry: Registry,
  { name, help, label }: QueriedGaugeOptions,
  query: () => Promise<number | GaugeValueByLabel>,
): void {
  const latest = new SingleFlightCache(() => query().catch(() => undefined), CACHE_MS);
  const gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: async () => {
      const result = latest.get();
      const value = (await settlesWithin(result, MAX_WAIT_MS)) ? await result : undefined;
      gauge.reset();
      gauge.remove({});
      if (typeof value === 'number') gauge.set(value);
      else if (value !== undefined && label !== undefined)
        for (const [key, number] of Object.entries(value)) gauge.set({ [label]: key }, number);
    },
  });
}
