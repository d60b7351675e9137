import { z } from 'zod';
import {
  url,
  byteSize,
  decimal,
  integer,
  isAddressOrCidr,
  commaSeparatedList,
  variable,
  withFormerName,
} from '../variable.js';

export const api = {
  port: variable('PORT', integer(1, 65535).default(3000), 'TCP port of the API.'),
  host: variable('HOST', z.string().min(1).default('127.0.0.1'), 'Network address that the API listens on.'),
  publicUrl: variable(
    'PUBLIC_URL',
    url('http:', 'https:').optional(),
    'Base URL under which callers reach the API. Signed URLs of the file store and the `download_url` of a created job start with it. Default: `http://HOST:PORT`.',
  ),
  trustedProxies: variable(
    'TRUSTED_PROXIES',
    commaSeparatedList()
      // A prefix of no bits would trust every client.
      .refine(
        (entries) => entries.every((entry) => isAddressOrCidr(entry, 1)),
        'must be a comma-separated list of IP addresses and CIDRs',
      )
      .default([]),
    'IP addresses or CIDRs of the proxies in front of the API, comma-separated. From these addresses, `X-Forwarded-For` names the client for limits per address, sessions, the audit log and the log; the proxies must set it. Default: none, and the header is ignored.',
  ),
  jsonBodyBytes: variable(
    'JSON_BODY_BYTES',
    byteSize().default(2 * 2 ** 20),
    'Largest JSON request body, in bytes.',
  ),
  jsonBodySeconds: variable(
    'JSON_BODY_SECONDS',
    integer(1, 600).default(30),
    'Seconds within which a JSON request body must arrive.',
  ),
  jsonPoolBytes: variable(
    'JSON_POOL_BYTES',
    byteSize().default(64 * 2 ** 20),
    'Bytes of JSON bodies that one API process reads at the same time. A body of unknown length counts as `JSON_BODY_BYTES`. Above the limit: 503.',
  ),
  jsonPoolBytesPerKey: variable(
    'JSON_POOL_BYTES_PER_KEY',
    byteSize().default(16 * 2 ** 20),
    'Share of `JSON_POOL_BYTES` that one API key can use. Above it: 429.',
  ),
  maxConcurrentUploads: withFormerName(
    'BODY_POOL_SIZE',
    variable(
      'MAX_CONCURRENT_UPLOADS',
      integer(1).default(128),
      'Audio bodies that one API process receives at the same time: uploads to the file store and `POST /transcribe` requests. Above the limit: 503. With a bucket, each can use 24 MiB of memory.',
    ),
  ),
  maxConcurrentUploadsPerAccount: withFormerName(
    'BODY_POOL_PER_ACCOUNT',
    variable(
      'MAX_CONCURRENT_UPLOADS_PER_ACCOUNT',
      integer(1).default(64),
      'Share of `MAX_CONCURRENT_UPLOADS` that one account can use. Above it: 429.',
    ),
  ),
  bodyIdleSeconds: variable(
    'BODY_IDLE_SECONDS',
    integer(1, 600).default(30),
    'Seconds without any byte after which an audio upload is aborted.',
  ),
  bodyBytesPerSecond: variable(
    'BODY_BYTES_PER_SECOND',
    integer(0).default(1024),
    'Lowest rate at which a client must send audio, in bytes per second, averaged over `BODY_IDLE_SECONDS`; a slower upload is aborted. 0: no minimum.',
  ),
  slowReaderTimeoutSeconds: withFormerName(
    'UNREAD_SECONDS',
    variable(
      'SLOW_READER_TIMEOUT_SECONDS',
      integer(1, 3600).default(60),
      'Seconds after which a client that reads nothing of its response is disconnected (event streams included). Because of how this is checked, it can take up to two and a half times as long.',
    ),
  ),
  idempotencySeconds: variable(
    'IDEMPOTENCY_SECONDS',
    integer(60, 2_592_000).default(86_400),
    'Seconds for which the response to a request with an `Idempotency-Key` is stored and repeated.',
  ),
  idempotencyLeaseSeconds: variable(
    'IDEMPOTENCY_LEASE_SECONDS',
    integer(1, 600).default(15),
    'Seconds until an `Idempotency-Key` can be used again after the process that handled its first request died.',
  ),
  corsOrigins: variable(
    'CORS_ORIGINS',
    commaSeparatedList()
      .refine(
        (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
        'must be *, or origins as browsers send them, such as https://app.example.com, comma-separated',
      )
      .default([]),
    'Origins whose web pages may use signed upload and download URLs, comma-separated. `*`: all origins.',
  ),
  rateLimitFactor: variable(
    'RATE_LIMIT_FACTOR',
    decimal(0, 1_000).default(1),
    'Factor for every rate limit, including limits set for one key; a limit never falls below one request. 0: no rate limits, for load tests.',
  ),
  healthPort: variable(
    'HEALTH_PORT',
    integer(1, 65535).optional(),
    'Separate port of the API for `/health/live`, `/health/ready` and `/metrics`; `PORT` then answers them with 404. Unset: they are served on `PORT`.',
  ),
  healthHost: variable(
    'HEALTH_HOST',
    z.string().min(1).optional(),
    'Network address that `HEALTH_PORT` and `PROCESSOR_PORT` listen on. Default: `HOST`.',
  ),
  processorPort: variable(
    'PROCESSOR_PORT',
    integer(0, 65535).optional(),
    'Port on which a processor serves `/health/live`, `/health/ready` and `/metrics`. Unset: no port.',
  ),
};

export const streams = {
  poolSize: variable(
    'STREAM_POOL_SIZE',
    integer(1).default(2000),
    'Event streams that one API process serves at the same time. Further streams get `waiting` events.',
  ),
  queueSize: withFormerName(
    'STREAM_POOL_WAITING',
    variable(
      'STREAM_QUEUE_SIZE',
      integer(0).default(2000),
      'Event streams that can wait on an open connection until one of `STREAM_POOL_SIZE` is free. A further stream gets one `waiting` event and is closed; the client should connect again.',
    ),
  ),
  poolPerKey: variable(
    'STREAM_POOL_PER_KEY',
    integer(1).default(1000),
    'Event streams, served and waiting, that one API key can have open at one API process. Open responses of `POST /transcribe` and `POST /v1/audio/transcriptions` count as streams. Above the limit: 429.',
  ),
  heartbeatSeconds: variable(
    'STREAM_HEARTBEAT_SECONDS',
    integer(1, 300).default(15),
    'Seconds between heartbeat comments on a stream without events.',
  ),
  waitingSeconds: variable(
    'STREAM_WAITING_SECONDS',
    integer(1, 60).default(3),
    'Seconds between the `waiting` events that a waiting stream gets.',
  ),
};

/** The text must have no path, upper case or default port, because origins are compared as text. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origin === 'null' || origin === text;
}
