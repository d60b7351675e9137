import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiError,
  ConnectionError,
  type PolledCommandLineSignIn,
  type UnauthenticatedClient,
} from 'zephyr-client';
import { type CliContext, printSanitizedLine } from './command.js';
import { NotSignedInError } from './errors.js';

const MORE_SECONDS_BETWEEN_POLLS = 5;
const MAX_MACHINE_LENGTH = 100;

/**
 * Shows a URL and a code, and waits until a member of an account has entered the code there (ADR 47).
 * @returns the text of the key
 * @throws NotSignedInError when it is refused or expired; ApiError 404 if the service has no such sign-in
 */
export async function signInThroughConsole(
  { stderr, signal }: Pick<CliContext, 'stderr' | 'signal'>,
  routes: UnauthenticatedClient,
  wait: (ms: number) => Promise<unknown> = (ms) => pause(ms, undefined, { signal }),
): Promise<string> {
  const started = await routes.startSignIn(getMachineName(), { signal });
  printSanitizedLine(stderr, `Open ${started.verification_uri} in a browser, on this or another machine,`);
  printSanitizedLine(stderr, `and enter the code  ${started.user_code}`);
  printSanitizedLine(
    stderr,
    `Waiting until it is approved, at most ${Math.round(started.expires_in / 60)} minutes …`,
  );
  let interval = started.interval;
  for (let seconds = 0; seconds < started.expires_in; seconds += interval) {
    await wait(interval * 1000);
    const { state, api_key: apiKey } = await poll(routes, started.device_code, signal);
    if (apiKey !== null) return apiKey;
    if (state === 'ended') break;
    if (state === 'slow_down') interval += MORE_SECONDS_BETWEEN_POLLS;
  }
  throw new NotSignedInError(
    'The sign-in was refused, or its code has expired. If it was approved, the key is lost: revoke it on the page Keys of the console, and sign in again.',
  );
}

/**
 * Neither a lost connection, nor a service that fails or restarts, nor too many requests from this address end a sign-in that a person is
 * about to approve.
 */
async function poll(
  routes: UnauthenticatedClient,
  deviceCode: string,
  signal: AbortSignal,
): Promise<PolledCommandLineSignIn> {
  try {
    return await routes.pollSignIn(deviceCode, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return { state: 'slow_down', api_key: null };
    if (error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500))
      return { state: 'pending', api_key: null };
    throw error;
  }
}

function getMachineName(): string {
  // oxlint-disable-next-line no-control-regex -- the service refuses them
  const name = hostname().replaceAll(/[\u0000-\u001f\u007f]/g, '');
  return name.slice(0, MAX_MACHINE_LENGTH) || 'unnamed machine';
}
