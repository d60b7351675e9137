export interface ForwardingAttemptResult {
  /** The status, or why there was none. */
  result: number | string;
  attempt: number;
  attempts: number;
  /** Until the next attempt, if there is one. */
  nextMs: number | undefined;
}

export function describeForwardingAttempt({
  result,
  attempt,
  attempts,
  nextMs,
}: ForwardingAttemptResult): string {
  if (typeof result === 'number' && result >= 200 && result < 300) return String(result);
  const failure = `not delivered (${result})`;
  if (nextMs !== undefined)
    return `${failure}, attempt ${attempt} of ${attempts}, next in ${nextMs / 1000} s`;
  return attempt === attempts
    ? `${failure}, attempt ${attempt} of ${attempts}`
    : `${failure}, not tried again`;
}
