/**
 * Why `fetch` failed, in one line. Node says no more than "fetch failed": the reason is in the cause, of which a host with
 * several addresses has one for each.
 */
export function describeConnectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  if (isServerWithoutTlsError(cause))
    return 'the server does not speak TLS. Does its URL begin with http:// instead of https://?';
  const reasons = cause instanceof AggregateError ? cause.errors.map(getReason) : [getReason(cause)];
  const text = [...new Set(reasons)].join('; ') || getReason(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Whether a server answered without TLS, by the codes of Node. */
export function isServerWithoutTlsError(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG';
}

function getReason(error: unknown): string {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return [message, code].find((each): each is string => typeof each === 'string' && each !== '') ?? '';
}
