import { z } from 'zod';
import {
  createUrlSchema,
  createByteSizeSchema,
  createDecimalSchema,
  createIntegerSchema,
  isIpAddressOrCidr,
  createCommaSeparatedListSchema,
  declareEnvVariable,
  withFormerVariableName,
} from '../variable.js';

function createListenHostSchema() {
  const rule = 'must be a host name or network address without brackets, such as 127.0.0.1 or ::1';
  return z.string().regex(/^[^[\]\s]+$/, rule);
}

export const apiEnvVariables = {
  port: declareEnvVariable('PORT', createIntegerSchema(1, 65535).default(3000), 'TCP port of the API.'),
  host: declareEnvVariable(
    'HOST',
    createListenHostSchema().default('127.0.0.1'),
    'Network address that the API listens on.',
  ),
  publicUrl: declareEnvVariable(
    'PUBLIC_URL',
    createUrlSchema('http:', 'https:').optional(),
    'Base URL under which callers reach the API. Signed URLs of the file store and the `download_url` of a created job start with it. Default: `http://HOST:PORT`, with `127.0.0.1` for a `HOST` of `0.0.0.0` or `::`: set it if other machines call the service.',
  ),
  trustedProxies: declareEnvVariable(
    'TRUSTED_PROXIES',
    createCommaSeparatedListSchema()
      // A prefix of no bits would trust every client.
      .refine(
        (entries) => entries.every((entry) => isIpAddressOrCidr(entry, 1)),
        'must be a comma-separated list of IP addresses and CIDRs',
      )
      .default([]),
    'IP addresses or CIDRs of the proxies in front of the API, comma-separated. From these addresses, `X-Forwarded-For` names the client for limits per address, sessions, the audit log and the log; the proxies must set it. Default: none, and the header is ignored.',
  ),
  jsonBodyBytes: declareEnvVariable(
    'JSON_BODY_BYTES',
    createByteSizeSchema().default(2 * 2 ** 20),
    'Largest JSON request body, in bytes.',
  ),
  jsonBodySeconds: declareEnvVariable(
    'JSON_BODY_SECONDS',
    createIntegerSchema(1, 600).default(30),
    'Seconds within which a JSON request body must arrive.',
  ),
  maxConcurrentJsonBytes: withFormerVariableName(
    'JSON_POOL_BYTES',
    declareEnvVariable(
      'MAX_CONCURRENT_JSON_BYTES',
      createByteSizeSchema().default(64 * 2 ** 20),
      'Bytes of JSON bodies that one API process reads at the same time. A body of unknown length counts as `JSON_BODY_BYTES`. Above the limit: 503. Bodies without a key or session, such as sign-ins, have a quarter as much in addition.',
    ),
  ),
  maxConcurrentJsonBytesPerAccount: withFormerVariableName(
    'JSON_POOL_BYTES_PER_ACCOUNT',
    withFormerVariableName(
      'JSON_POOL_BYTES_PER_KEY',
      declareEnvVariable(
        'MAX_CONCURRENT_JSON_BYTES_PER_ACCOUNT',
        createByteSizeSchema().default(16 * 2 ** 20),
        'Share of `MAX_CONCURRENT_JSON_BYTES` that one account can use, with all its keys. Above it: 429.',
      ),
    ),
  ),
  maxConcurrentUploads: withFormerVariableName(
    'BODY_POOL_SIZE',
    declareEnvVariable(
      'MAX_CONCURRENT_UPLOADS',
      createIntegerSchema(1).default(128),
      'Audio bodies that one API process receives at the same time: uploads to the file store and `POST /transcribe` requests. Above the limit: 503. With a bucket, each can use 24 MiB of memory.',
    ),
  ),
  maxConcurrentUploadsPerAccount: withFormerVariableName(
    'BODY_POOL_PER_ACCOUNT',
    declareEnvVariable(
      'MAX_CONCURRENT_UPLOADS_PER_ACCOUNT',
      createIntegerSchema(1).default(64),
      'Share of `MAX_CONCURRENT_UPLOADS` that one account can use. Above it: 429.',
    ),
  ),
  bodyIdleSeconds: declareEnvVariable(
    'BODY_IDLE_SECONDS',
    createIntegerSchema(1, 600).default(30),
    'Seconds without any byte after which an audio upload is aborted.',
  ),
  bodyBytesPerSecond: declareEnvVariable(
    'BODY_BYTES_PER_SECOND',
    createIntegerSchema(0).default(1024),
    'Lowest rate at which a client must send audio, in bytes per second, averaged over `BODY_IDLE_SECONDS`; a slower upload is aborted. 0: no minimum.',
  ),
  slowReaderTimeoutSeconds: withFormerVariableName(
    'UNREAD_SECONDS',
    declareEnvVariable(
      'SLOW_READER_TIMEOUT_SECONDS',
      createIntegerSchema(1, 3600).default(60),
      'Seconds after which a client that reads nothing of its response is disconnected (event streams included). Because of how this is checked, it can take up to two and a half times as long.',
    ),
  ),
  idempotencySeconds: declareEnvVariable(
    'IDEMPOTENCY_SECONDS',
    createIntegerSchema(60, 2_592_000).default(86_400),
    'Seconds for which the response to a request with an `Idempotency-Key` is stored and repeated.',
  ),
  idempotencyLeaseSeconds: declareEnvVariable(
    'IDEMPOTENCY_LEASE_SECONDS',
    createIntegerSchema(1, 600).default(15),
    'Seconds until an `Idempotency-Key` can be used again after the process that handled its first request died.',
  ),
  corsOrigins: declareEnvVariable(
    'CORS_ORIGINS',
    createCommaSeparatedListSchema()
      .refine(
        (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
        'must be *, or origins as browsers send them, such as https://app.example.com, comma-separated',
      )
      .default([]),
    'Origins whose web pages may use signed upload and download URLs, comma-separated. `*`: all origins.',
  ),
  rateLimitFactor: declareEnvVariable(
    'RATE_LIMIT_FACTOR',
    createDecimalSchema(0, 1_000).default(1),
    'Factor for every rate limit, including limits set for one key; a limit never falls below one request. 0: no rate limits, for load tests.',
  ),
  healthPort: declareEnvVariable(
    'HEALTH_PORT',
    createIntegerSchema(1, 65535).optional(),
    'Separate port of the API for `/health/live`, `/health/ready` and `/metrics`; `PORT` then answers them with 404. Unset: they are served on `PORT`.',
  ),
  healthHost: declareEnvVariable(
    'HEALTH_HOST',
    createListenHostSchema().optional(),
    'Network address that `HEALTH_PORT` and `PROCESSOR_PORT` listen on. Default: `HOST`.',
  ),
  processorPort: declareEnvVariable(
    'PROCESSOR_PORT',
    createIntegerSchema(0, 65535).optional(),
    'Port on which a processor serves `/health/live`, `/health/ready` and `/metrics`. Unset: no port.',
  ),
};

export const eventStreamEnvVariables = {
  maxConcurrent: withFormerVariableName(
    'STREAM_POOL_SIZE',
    declareEnvVariable(
      'MAX_CONCURRENT_STREAMS',
      createIntegerSchema(1).default(2000),
      'Event streams of open jobs that one API process serves at the same time, shared among accounts. Further streams get `waiting` events.',
    ),
  ),
  queueSize: withFormerVariableName(
    'STREAM_POOL_WAITING',
    declareEnvVariable(
      'STREAM_QUEUE_SIZE',
      createIntegerSchema(0).default(2000),
      'Event streams that can wait on an open connection until one of `MAX_CONCURRENT_STREAMS` is free. A further stream gets one `waiting` event and is closed; the client should connect again.',
    ),
  ),
  maxConcurrentPerAccount: withFormerVariableName(
    'STREAM_POOL_PER_ACCOUNT',
    withFormerVariableName(
      'STREAM_POOL_PER_KEY',
      declareEnvVariable(
        'MAX_CONCURRENT_STREAMS_PER_ACCOUNT',
        createIntegerSchema(1).default(1000),
        'Event streams, served and waiting, that one account can have open at one API process, with all its keys. Open responses of `POST /transcribe` and `POST /v1/audio/transcriptions` count as streams. Above the limit: 429.',
      ),
    ),
  ),
  heartbeatSeconds: declareEnvVariable(
    'STREAM_HEARTBEAT_SECONDS',
    createIntegerSchema(1, 300).default(15),
    'Seconds between heartbeat comments on a stream without events.',
  ),
  waitingSeconds: declareEnvVariable(
    'STREAM_WAITING_SECONDS',
    createIntegerSchema(1, 60).default(3),
    'Seconds between the `waiting` events that a waiting stream gets.',
  ),
};

/** The text must have no path, upper case or default port, because origins are compared as text. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origin === 'null' || origin === text;
}
