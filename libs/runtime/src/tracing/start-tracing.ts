import type { Config } from '@app/config';
import { buildOtlpSignalUrl } from './otlp-url.js';

export type StopTracing = () => Promise<void>;

/**
 * Sends spans to the configured collector. Without one, the exporter is not even loaded.
 *
 * @param program added to the name of the service
 * @returns what sends the spans that are left, which takes at most a few seconds
 */
export async function startTracing(
  { endpoint, headers = {}, serviceName, sampleRatio }: Config['tracing'],
  program: string,
  version: string,
): Promise<StopTracing> {
  if (endpoint === undefined) return async () => undefined;
  const { startOtlpTraceExport } = await import('./otlp-trace-export.js');
  return startOtlpTraceExport({
    url: buildOtlpSignalUrl(endpoint, 'traces'),
    headers,
    serviceName: `${serviceName}-${program}`,
    version,
    sampleRatio,
  });
}
