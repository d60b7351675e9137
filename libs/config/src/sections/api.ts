import { z } from 'zod';
import { address, bytes, decimal, integer, list, variable } from '../variable.js';

export const api = {
  port: variable('PORT', integer(1, 65535).default(3000), 'TCP port of the API.'),
  host: variable('HOST', z.string().min(1).default('127.0.0.1'), 'Network address the API listens on.'),
  publicUrl: variable(
    'PUBLIC_URL',
    address('http:', 'https:').optional(),
    'Address under which callers reach the API; upload and download addresses of the file store begin with it. Default: `http://HOST:PORT`.',
  ),
  jsonBodyBytes: variable('JSON_BODY_BYTES', bytes().default(2 * 2 ** 20), 'Largest JSON request body.'),
  jsonBodySeconds: variable(
    'JSON_BODY_SECONDS',
    integer(1, 600).default(30),
    'Time in which a JSON request body has to arrive.',
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
    list().default([]),
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
