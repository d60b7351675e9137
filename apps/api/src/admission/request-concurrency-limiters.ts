import type { BootContext } from '@app/runtime';
import { Counter, Gauge, type Registry } from 'prom-client';
import { ConcurrencyLimiter, type ExceededLimit } from './concurrency-limiter.js';

/** The limits on concurrent requests of one process. */
export class RequestConcurrencyLimiters {
  constructor(
    /** Audio uploads in progress, with a share per account: signed URLs carry no key. */
    readonly bodies: ConcurrencyLimiter,
    /** Event streams and responses that wait for the end of a job, with a share per key. */
    readonly streams: ConcurrencyLimiter,
    /** Bytes of JSON bodies in progress, with a share per key. */
    readonly json: ConcurrencyLimiter,
  ) {}
}

const LIMITED_RESOURCES = ['bodies', 'streams', 'json'] as const;

/** Creates the configured limiters and their metrics. */
export function createRequestConcurrencyLimiters(
  { config }: BootContext,
  registry: Registry,
): RequestConcurrencyLimiters {
  const { api, streams } = config;
  const registers = [registry];
  const rejections = new Counter({
    name: 'zephyr_requests_shed_total',
    help: 'Requests rejected by a limit on concurrent requests: `total` of the process (503) or `share` of one key or account (429).',
    labelNames: ['resource', 'limit'],
    registers,
  });
  const countRejections = (resource: (typeof LIMITED_RESOURCES)[number]) => {
    // Initialized to 0, so that the first rejection is an increase.
    for (const limit of ['total', 'share']) rejections.inc({ resource, limit }, 0);
    return (limit: ExceededLimit) => rejections.inc({ resource, limit });
  };
  const admission = new RequestConcurrencyLimiters(
    new ConcurrencyLimiter({
      resource: 'uploads',
      ownerKind: 'account',
      maxTotal: api.maxConcurrentUploads,
      maxPerOwner: api.maxConcurrentUploadsPerAccount,
      onRejected: countRejections('bodies'),
    }),
    new ConcurrencyLimiter({
      resource: 'event streams',
      ownerKind: 'key',
      maxTotal: streams.poolSize + streams.queueSize,
      maxPerOwner: streams.poolPerKey,
      onRejected: countRejections('streams'),
    }),
    new ConcurrencyLimiter({
      resource: 'JSON bodies',
      ownerKind: 'key',
      maxTotal: api.jsonPoolBytes,
      maxPerOwner: api.jsonPoolBytesPerKey,
      onRejected: countRejections('json'),
    }),
  );
  const inUse: Gauge<'resource'> = new Gauge({
    name: 'zephyr_concurrency_in_use',
    help: 'Use of the limits on concurrent requests: audio bodies, open streams, bytes of JSON bodies.',
    labelNames: ['resource'],
    registers,
    collect: () => {
      for (const resource of LIMITED_RESOURCES) inUse.set({ resource }, admission[resource].inUse);
    },
  });
  return admission;
}
