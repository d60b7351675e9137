import { describeError } from '@app/errors';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import type { Logger } from 'pino';

/** Exports repeat every second; a collector may be away for days. */
const REPORT_INTERVAL_MS = 10 * 60_000;

/** Warns, at most every ten minutes, that traces or metrics could not be sent. Otherwise the exporters say nothing. */
export function reportTelemetryExportFailures(
  logger: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): void {
  let nextReportAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (now() < nextReportAt) return;
    nextReportAt = now() + REPORT_INTERVAL_MS;
    logger.warn(
      { reason: describeError(error) },
      'traces or metrics were not sent: check the collector, and the OTEL_EXPORTER_OTLP_… settings',
    );
  });
}
