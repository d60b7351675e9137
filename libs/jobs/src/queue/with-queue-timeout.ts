import { describeError } from '@app/errors';
import pTimeout from 'p-timeout';
import { QueueUnavailableError } from './queue-message.js';

/**
 * Drops a result that arrives late. @throws QueueUnavailableError for a timeout and any other error, with its
 * cause
 */
export async function withQueueTimeout<T>(
  timeoutMs: number,
  operation: string,
  call: () => Promise<T>,
): Promise<T> {
  const fallback = () => {
    throw new QueueUnavailableError(`${operation}: no response in ${timeoutMs} ms`);
  };
  try {
    return await pTimeout(call(), { milliseconds: timeoutMs, fallback });
  } catch (error) {
    if (error instanceof QueueUnavailableError) throw error;
    throw new QueueUnavailableError(`${operation}: ${describeError(error)}`, { cause: error });
  }
}
