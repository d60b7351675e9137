import type { Config } from '@app/config';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { readPackageVersion } from '../package-version.js';
import { buildOtlpSignalUrl } from '../tracing/otlp-url.js';

/** Sends the metrics of a program to the configured collector. Without one, the exporter is not even loaded. */
export class MetricsExport implements OnApplicationShutdown {
  private constructor(private readonly stop: () => Promise<void>) {}

  /** @param program added to the name of the service */
  static async start(
    registry: Registry,
    {
      endpoint,
      metricsEndpoint,
      metricsExporter,
      metricsIntervalMs,
      headers = {},
      serviceName,
    }: Config['tracing'],
    program: string,
  ): Promise<MetricsExport> {
    const url = metricsEndpoint ?? (endpoint && buildOtlpSignalUrl(endpoint, 'metrics'));
    if (url === undefined || metricsExporter === 'none') return new MetricsExport(async () => undefined);
    const { startOtlpMetricsExport } = await import('./otlp-metrics-export.js');
    const stop = startOtlpMetricsExport(registry, {
      url,
      headers,
      serviceName: `${serviceName}-${program}`,
      version: readPackageVersion(),
      intervalMs: metricsIntervalMs,
    });
    return new MetricsExport(stop);
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
