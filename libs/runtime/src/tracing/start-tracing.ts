import type { Config } from '@app/config';

export type StopTracing = () => Promise<void>;

/**
 * Sends spans to the configured collector. Without one, the exporter is not even loaded.
 *
 * @param program added to the name of the service
 * @returns what sends the spans that are left, which takes at most a few seconds
 */
export async function startTracing(
  { endpoint, headers, serviceName, sampleRatio }: Config['tracing'],
  program: string,
  version: string,
): Promise<StopTracing> {
  if (endpoint === undefined) return async () => undefined;
  const { startOtlpExport } = await import('./otlp-export.js');
  return startOtlpExport({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: parseHeaders(headers),
    serviceName: `${serviceName}-${program}`,
    version,
    sampleRatio,
  });
}

function parseHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()]),
  );
}
