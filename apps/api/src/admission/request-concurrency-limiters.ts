import type { BootContext } from '@app/runtime';
import { Counter, Gauge, type Registry } from 'prom-client';
import { ConcurrencyLimiter, type ExceededLimit } from './concurrency-limiter.js';

/** The limits on concurrent requests of one process. */
export class RequestConcurrencyLimiters {
  constructor(
    /** Audio uploads in progress, with a share per account: signed URLs carry no key. */
    readonly bodies: ConcurrencyLimiter,
    /** Event streams and responses that wait for the end of a job, with a share per account. */
    readonly streams: ConcurrencyLimiter,
    /** Bytes of JSON bodies in progress, with a share per account. */
    readonly json: ConcurrencyLimiter,
    /** Bytes of JSON bodies of callers without a key or session, with a share per network: they cannot use up `json`. */
    readonly unauthenticatedJson: ConcurrencyLimiter,
  ) {}
}

/** The limiter of each value of the label `resource`. */
const LIMITERS = {
  bodies: 'bodies',
  streams: 'streams',
  json: 'json',
  unauthenticated_json: 'unauthenticatedJson',
} as const satisfies Record<string, keyof RequestConcurrencyLimiters>;
type LimitedResource = keyof typeof LIMITERS;

/** Divides `MAX_CONCURRENT_JSON_BYTES`. The result is added to it. */
const UNAUTHENTICATED_JSON_PART = 4;

/** Creates the configured limiters and their metrics. */
export function createRequestConcurrencyLimiters(
  { config }: BootContext,
  registry: Registry,
): RequestConcurrencyLimiters {
  const { api, streams } = config;
  const registers = [registry];
  const rejections = new Counter({
    name: 'zephyr_requests_shed_total',
    help: 'Requests rejected by a limit on concurrent requests: `total` of the process (503) or `share` of one account or network (429).',
    labelNames: ['resource', 'limit'],
    registers,
  });
  const countRejections = (resource: LimitedResource) => {
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
      ownerKind: 'account',
      maxTotal: streams.maxConcurrent + streams.queueSize,
      maxPerOwner: streams.maxConcurrentPerAccount,
      leavesRoomForOthers: true,
      onRejected: countRejections('streams'),
    }),
    new ConcurrencyLimiter({
      resource: 'JSON bodies',
      ownerKind: 'account',
      maxTotal: api.maxConcurrentJsonBytes,
      maxPerOwner: api.maxConcurrentJsonBytesPerAccount,
      onRejected: countRejections('json'),
    }),
    new ConcurrencyLimiter({
      resource: 'JSON bodies',
      ownerKind: 'network',
      maxTotal: api.maxConcurrentJsonBytes / UNAUTHENTICATED_JSON_PART,
      maxPerOwner: api.maxConcurrentJsonBytesPerAccount / UNAUTHENTICATED_JSON_PART,
      onRejected: countRejections('unauthenticated_json'),
    }),
  );
  const inUse: Gauge<'resource'> = new Gauge({
    name: 'zephyr_concurrency_in_use',
    help: 'Use of the limits on concurrent requests: audio bodies, open streams, bytes of JSON bodies.',
    labelNames: ['resource'],
    registers,
    collect: () => {
      for (const [resource, limiter] of Object.entries(LIMITERS))
        inUse.set({ resource }, admission[limiter].inUse);
    },
  });
  return admission;
}
