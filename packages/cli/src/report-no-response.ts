import { ConnectionError } from 'zephyr-client';

/** Codes of Node for a refused certificate and for a server without TLS, after which nothing is tried again. */
const TLS_ERROR_CODE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL/;

/** A `fetch` that reports a server that does not respond, once until it responds again. */
export function createFetchReportingOutages(
  report: (origin: string) => void,
  send: typeof fetch = fetch,
): typeof fetch {
  const unanswered = new Set<string>();
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    try {
      const response = await send(input, init);
      unanswered.delete(origin);
      return response;
    } catch (error) {
      if (isOutage(error, init?.signal) && !unanswered.has(origin)) {
        unanswered.add(origin);
        report(origin);
      }
      throw error;
    }
  };
}

/** Not for an interrupted command, whose signal has another reason than a time limit. */
function isOutage(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted === true) return signal.reason instanceof ConnectionError;
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return !TLS_ERROR_CODE.test(String(cause?.code));
}
