import { constants } from 'node:os';

export const STOP_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A signal asked this process to end. */
export class Interruption extends Error {
  /** @param {typeof STOP_SIGNALS[number]} signal */
  constructor(signal) {
    super(`ended by ${signal}`);
    /** Of the process, as a shell reports it. */
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs work that has something to clean up: SIGINT, SIGTERM and SIGHUP abort it, instead of ending this process.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws Interruption after the end of the work, if a signal came before
 */
export async function runInterruptibly(work) {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = (name) => controller.abort(new Interruption(name));
  for (const name of STOP_SIGNALS) process.on(name, interrupt);
  try {
    const result = await work(signal);
    signal.throwIfAborted();
    return result;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    for (const name of STOP_SIGNALS) process.off(name, interrupt);
  }
}
