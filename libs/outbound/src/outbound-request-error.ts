import { OwnNetworkError } from './own-network-failure.js';
import { NameServersSilentError, SsrfBlockedError } from './ssrf-errors.js';

export type OutboundErrorKind = 'blocked' | 'timeout' | 'connection';

/** No response arrived. The message reveals nothing about the network of the service. */
export class OutboundRequestError extends Error {
  override readonly name = 'OutboundRequestError';
  constructor(
    readonly kind: OutboundErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** Names, for operators, what fails on this machine or in its network, whatever the server; null if nothing is known to. */
  get ownFailure(): string | null {
    if (this.cause instanceof NameServersSilentError) return 'no name server responds';
    return this.cause instanceof OwnNetworkError ? this.cause.code : null;
  }
}

const ERROR_CODE_MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was cut',
};
const TIMEOUT_ERROR_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** The message is for the caller. */
export function toOutboundRequestError(error: unknown): OutboundRequestError {
  if (error instanceof OutboundRequestError) return error;
  if (error instanceof SsrfBlockedError)
    return new OutboundRequestError('blocked', `the address ${error.message}`, error);
  const { code = '', name = '' } = error as { code?: unknown; name?: string };
  const known = String(code);
  if (TIMEOUT_ERROR_CODES.has(known) || name === 'TimeoutError')
    return new OutboundRequestError('timeout', 'it timed out', error);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(known))
    return new OutboundRequestError('connection', 'no secure connection came about', error);
  if (known.startsWith('HPE_'))
    return new OutboundRequestError('connection', 'the response was not understood', error);
  return new OutboundRequestError('connection', ERROR_CODE_MESSAGES[known] ?? 'the connection failed', error);
}
