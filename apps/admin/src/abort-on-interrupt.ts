import { CommandError } from './output.js';

/** Ctrl-C ended the command. */
export class InterruptedError extends CommandError {
  /** As of a program that SIGINT ended, in a shell. */
  static readonly EXIT_CODE = 130;
}

/** @param message printed when Ctrl-C ends the command */
export function createSigintAbortSignal(message: string): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new InterruptedError(message)));
  return controller.signal;
}
