import { AddressRefused } from './address-refused.js';

export type OutboundFailureKind = 'refused' | 'timeout' | 'connection';

/** No answer came. The message completes "…: " and tells nothing of what lies behind the address. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  constructor(
    readonly kind: OutboundFailureKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was cut',
};
const TIMEOUTS = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** What went wrong below, in words for the caller. A signal of `AbortSignal.timeout` counts as a timeout. */
export function toOutboundFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof AddressRefused)
    return new OutboundFailure('refused', `the address ${error.message}`, error);
  const { code = '', name = '' } = error as { code?: unknown; name?: string };
  const known = String(code);
  if (TIMEOUTS.has(known) || name === 'TimeoutError')
    return new OutboundFailure('timeout', 'it timed out', error);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(known))
    return new OutboundFailure('connection', 'no secure connection came about', error);
  if (known.startsWith('HPE_'))
    return new OutboundFailure('connection', 'the answer was not understood', error);
  return new OutboundFailure('connection', MESSAGES[known] ?? 'the connection failed', error);
}
