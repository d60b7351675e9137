import { z } from 'zod';
import { address, bytes, decimal, integer, list, variable } from '../variable.js';

export const api = {
  port: variable('PORT', integer(1, 65535).default(3000), 'TCP port of the API.'),
  host: variable('HOST', z.string().min(1).default('127.0.0.1'), 'Network address the API listens on.'),
  publicUrl: variable(
    'PUBLIC_URL',
    address('http:', 'https:').optional(),
    'Address under which callers reach the API: the `download_url` of a create begins with it, and all addresses of the file store. Default: `http://HOST:PORT`.',
  ),
  jsonBodyBytes: variable('JSON_BODY_BYTES', bytes().default(2 * 2 ** 20), 'Largest JSON request body.'),
  jsonBodySeconds: variable(
    'JSON_BODY_SECONDS',
    integer(1, 600).default(30),
    'Time in which a JSON request body has to arrive.',
  ),
  jsonPoolBytes: variable(
    'JSON_POOL_BYTES',
    bytes().default(64 * 2 ** 20),
    'Bytes of JSON bodies that one API process reads at once; a body of unknown length counts as the largest. Further ones are refused with 503.',
  ),
  jsonPoolBytesPerKey: variable(
    'JSON_POOL_BYTES_PER_KEY',
    bytes().default(16 * 2 ** 20),
    'How much of that one API key may take.',
  ),
  bodyPoolSize: variable(
    'BODY_POOL_SIZE',
    integer(1).default(128),
    'Bodies of audio that one API process takes at once (uploads to the file store, one-shot requests); further ones are refused with 503. On its way to a bucket each may take 24 MiB of memory.',
  ),
  bodyPoolPerAccount: variable(
    'BODY_POOL_PER_ACCOUNT',
    integer(1).default(64),
    'How many of those one organisation may have.',
  ),
  bodyIdleSeconds: variable(
    'BODY_IDLE_SECONDS',
    integer(1, 600).default(30),
    'Time for which the sender of audio may be silent before it is cut.',
  ),
  bodyBytesPerSecond: variable(
    'BODY_BYTES_PER_SECOND',
    integer(0).default(1024),
    'What the sender of audio must reach while it is waited for, on average over `BODY_IDLE_SECONDS`, or it is cut; 0 asks for nothing.',
  ),
  unreadSeconds: variable(
    'UNREAD_SECONDS',
    integer(1, 3600).default(60),
    'Time for which a client may take nothing of its answer, events included, before it is cut; at the latest it is after two and a half times as long.',
  ),
  idempotencySeconds: variable(
    'IDEMPOTENCY_SECONDS',
    integer(60, 2_592_000).default(86_400),
    'Time for which the answer to a request with an `Idempotency-Key` is remembered.',
  ),
  idempotencyLeaseSeconds: variable(
    'IDEMPOTENCY_LEASE_SECONDS',
    integer(1, 600).default(15),
    'Time after which an `Idempotency-Key` is free again whose first request fell silent, as its process ended.',
  ),
  corsOrigins: variable(
    'CORS_ORIGINS',
    list()
      .refine(
        (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
        'must be *, or origins as browsers send them, such as https://app.example.com, comma-separated',
      )
      .default([]),
    'Origins whose pages may use the signed upload and download addresses, comma-separated; `*` admits all.',
  ),
  rateLimitFactor: variable(
    'RATE_LIMIT_FACTOR',
    decimal(0, 1_000).default(1),
    'Multiplies every rate limit, those set for a key included, but never to less than one request; 0 turns them off, as for load tests.',
  ),
  processorPort: variable(
    'PROCESSOR_PORT',
    integer(0, 65535).optional(),
    'Port on HOST where a processor answers `/health/live`, `/health/ready` and `/metrics`. Unset: none.',
  ),
};

export const streams = {
  poolSize: variable(
    'STREAM_POOL_SIZE',
    integer(1).default(2000),
    'Event streams served at once by one API process; further ones get `waiting` events.',
  ),
  poolWaiting: variable(
    'STREAM_POOL_WAITING',
    integer(0).default(2000),
    'Event streams that may wait for their turn; further ones are refused with 503.',
  ),
  poolPerKey: variable(
    'STREAM_POOL_PER_KEY',
    integer(1).default(1000),
    'Event streams, served and waiting, that one API key may have open at one API process; one-shot requests count, too. Further ones are refused with 503.',
  ),
  heartbeatSeconds: variable(
    'STREAM_HEARTBEAT_SECONDS',
    integer(1, 300).default(15),
    'Seconds between heartbeat comments on a quiet stream.',
  ),
  waitingSeconds: variable(
    'STREAM_WAITING_SECONDS',
    integer(1, 60).default(3),
    'Seconds between `waiting` events while the pool is full.',
  ),
};

/** Compared as text: without a path, in lower case, and without the port that goes without saying. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origin === 'null' || origin === text;
}
