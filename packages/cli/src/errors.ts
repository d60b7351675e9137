import { ApiError, AuthenticationError, ConnectionError, ZephyrError } from 'zephyr-client';

/** Below 500, but the same request may still succeed. */
const RETRYABLE_STATUSES = new Set([408, 409, 429]);

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

/** There is no key: exit code 4. */
export class NotSignedInError extends Error {}

/** Something that went wrong in a way that users can understand: exit code 1. */
export class CommandError extends Error {}

/** 128 and the number of the signal, as shells have it. */
export const EXIT_CODE_BY_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type InterruptingSignal = keyof typeof EXIT_CODE_BY_SIGNAL;

/** Ctrl-C, or another signal that asks the program to end. */
export class InterruptedError extends Error {
  readonly signal: InterruptingSignal;
  constructor(message: string, options: ErrorOptions & { signal?: InterruptingSignal } = {}) {
    super(message, options);
    this.signal = options.signal ?? 'SIGINT';
  }
}

export const EXIT_CODE_BY_NAME = { ok: 0, failed: 1, usage: 2, notSignedIn: 4 } as const;

export function getExitCode(error: unknown): number {
  if (error instanceof InterruptedError) return EXIT_CODE_BY_SIGNAL[error.signal];
  if (error instanceof UsageError) return EXIT_CODE_BY_NAME.usage;
  if (error instanceof NotSignedInError || error instanceof AuthenticationError)
    return EXIT_CODE_BY_NAME.notSignedIn;
  return EXIT_CODE_BY_NAME.failed;
}

/** Whether the same request may still succeed. */
export function isRetryableError(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || RETRYABLE_STATUSES.has(error.status);
  return error instanceof ConnectionError;
}

/**
 * One or two lines for people; a stack only for defects of this program.
 * @param env with which the key was chosen
 */
export function describeError(
  error: unknown,
  env: Readonly<Record<string, string | undefined>> = {},
): string {
  if (error instanceof AuthenticationError)
    return `${error.message}\n${env['ZEPHYR_API_KEY'] ? 'Correct ZEPHYR_API_KEY. It takes precedence over the key that "zephyr login" stores.' : 'Run: zephyr login'}`;
  if (error instanceof ZephyrError && error.job_id !== undefined)
    return `${error.message} The job ${error.job_id} may be queued all the same; then zephyr transcript ${error.job_id} prints what it says.`;
  const isExpected =
    error instanceof UsageError ||
    error instanceof NotSignedInError ||
    error instanceof CommandError ||
    error instanceof InterruptedError ||
    error instanceof ZephyrError ||
    // Files, and arguments that the client refuses.
    (error as { code?: unknown } | null)?.code !== undefined ||
    error instanceof TypeError;
  if (error instanceof Error) return isExpected ? error.message : (error.stack ?? error.message);
  return String(error);
}
