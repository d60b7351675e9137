import { settlesWithin } from '@app/jobs';
import { Gauge, type Registry } from 'prom-client';
import { SharedResult } from '../health/shared-result.js';

/** Milliseconds between two queries of one gauge, however often it is scraped. */
const CACHE_MS = 5_000;
/** Milliseconds for which a scrape waits for a query: the other metrics count, too. */
const MAX_WAIT_MS = 2_000;

/** Value by label value. */
export type GaugeValues = Record<string, number>;

export interface QueriedGaugeOptions {
  name: string;
  help: string;
  /** Of the one label, where the query gives values by label. */
  label?: string;
}

/**
 * A gauge that is queried at a scrape. While the query fails, or does not answer, it has no samples, as 0 would be a claim
 * about what nobody could ask.
 */
export function registerQueriedGauge(
  registry: Registry,
  { name, help, label }: QueriedGaugeOptions,
  query: () => Promise<number | GaugeValues>,
): void {
  const latest = new SharedResult(() => query().catch(() => undefined), CACHE_MS);
  const gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: async () => {
      const answer = latest.get();
      const value = (await settlesWithin(answer, MAX_WAIT_MS)) ? await answer : undefined;
      gauge.reset();
      gauge.remove({});
      if (typeof value === 'number') gauge.set(value);
      else if (value !== undefined && label !== undefined)
        for (const [key, number] of Object.entries(value)) gauge.set({ [label]: key }, number);
    },
  });
}
