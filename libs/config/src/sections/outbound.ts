import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  createByteSizeSchema,
  createCommaSeparatedListSchema,
  createIntegerSchema,
  isIpAddressOrCidr,
  declareEnvVariable,
} from '../variable.js';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/i;

const createTargetsSchema = () =>
  createCommaSeparatedListSchema()
    .refine(
      (entries) => entries.every((entry) => isIpAddressOrCidr(entry) || isHostName(entry)),
      'must be a comma-separated list of addresses, CIDRs and host names',
    )
    .refine(
      (entries) => !entries.some(isTooWideMappedCidr),
      'must give an IPv4 network as such, or as ::ffff:… with a prefix of at least 96 bits',
    )
    .default([]);

export const outboundEnvVariables = {
  allow: declareEnvVariable(
    'OUTBOUND_ALLOW',
    createTargetsSchema(),
    'Private targets that `callback_url` and `audio_url` may use: IP addresses, CIDRs or host names, comma-separated. Default: public addresses only.',
  ),
  deny: declareEnvVariable(
    'OUTBOUND_DENY',
    createTargetsSchema(),
    'Targets that `callback_url` and `audio_url` may not use, although they are public or in `OUTBOUND_ALLOW`: IP addresses, CIDRs or host names, comma-separated. An IPv6 address that embeds an IPv4 address (NAT64, 6to4) counts as both. The public addresses of the machine itself are always refused unless `OUTBOUND_ALLOW` names them.',
  ),
  webhookConcurrency: declareEnvVariable(
    'WEBHOOK_CONCURRENCY',
    createIntegerSchema(1, 1024).default(32),
    'Webhooks that one processor sends at the same time. One account gets at most half of them, two a third each, and so on: a share stays free for others.',
  ),
  webhookBackoffSeconds: declareEnvVariable(
    'WEBHOOK_BACKOFF_SECONDS',
    createCommaSeparatedListSchema()
      .refine(
        (delays) => delays.length === 3 && delays.every(isDelaySeconds),
        'must be three whole numbers, comma-separated',
      )
      .transform((delays) => delays.map(Number))
      .default([5, 30, 120]),
    'Seconds before the second, third and fourth attempt of a webhook, comma-separated. Up to a fifth is added at random.',
  ),
  webhookAttemptDays: declareEnvVariable(
    'WEBHOOK_ATTEMPT_DAYS',
    createIntegerSchema(1, 3650).default(30),
    'Days for which the request and the start of the response of a webhook attempt are kept. The results of attempts are kept as long as their job.',
  ),
  audioFetchSeconds: declareEnvVariable(
    'AUDIO_FETCH_SECONDS',
    createIntegerSchema(10, 86_400).default(3600),
    'Maximum seconds for fetching the file behind an `audio_url`. Must be less than `STAGE_TIMEOUT_SECONDS`.',
  ),
  audioFetchBytesPerSecond: declareEnvVariable(
    'AUDIO_FETCH_BYTES_PER_SECOND',
    createByteSizeSchema().default(16 * 2 ** 10),
    'Minimum transfer rate of the file behind an `audio_url`, in bytes per second, measured every 30 seconds that the service waited for bytes. A slower fetch fails.',
  ),
  audioFetchesPerAccount: declareEnvVariable(
    'AUDIO_FETCHES_PER_ACCOUNT',
    createIntegerSchema(1, 256).default(2),
    'Files that the processors fetch for one account at the same time. Further jobs with an `audio_url` wait.',
  ),
};

/** A text that ends in a number is a mistyped address. */
function isHostName(text: string): boolean {
  return HOST_NAME.test(text) && !/(^|\.)\d+$/.test(text);
}

/** It is neither an IPv4 network nor one that IPv6 addresses are in. */
function isTooWideMappedCidr(text: string): boolean {
  const [base = '', bits] = text.split('/');
  return (
    bits !== undefined && Number(bits) < 96 && isIPv6(base) && ipaddr.IPv6.parse(base).isIPv4MappedAddress()
  );
}

function isDelaySeconds(text: string): boolean {
  return /^\d{1,5}$/.test(text);
}
