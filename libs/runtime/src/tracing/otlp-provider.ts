import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { settlesWithin } from '@app/async';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';

/** A collector that does not respond must not delay the end of a program. */
const STOP_TIMEOUT_MS = 3_000;

/** Without it, a collector takes the metrics of all processes of a program for those of one: containers share a process id. */
const INSTANCE_ID = randomUUID();

/** This process, as the collector names it. */
export function createProgramResource(program: { serviceName: string; version: string }): Resource {
  return resourceFromAttributes({
    'service.name': program.serviceName,
    'service.version': program.version,
    'service.instance.id': INSTANCE_ID,
    'host.name': hostname(),
    'process.pid': process.pid,
  });
}

/** Sends what is left, within a bound. Never rejects. */
export async function shutDownProvider(provider: { shutdown(): Promise<void> }): Promise<void> {
  await settlesWithin(provider.shutdown(), STOP_TIMEOUT_MS);
}
