import { resolveCheckTimeoutSeconds } from './assert-openai-server-usable.js';
import { type OpenAiClient, type OpenAiOptions, OpenAiRequestError } from './openai-client.js';

/**
 * Whether a request failed because the server is not in service, so that others fail, too. Asks the server only if that is not certain.
 * @throws the reason of the signal
 */
export async function isCausedByServerOutage(
  { outage }: OpenAiRequestError,
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<boolean> {
  if (outage !== 'possible') return outage === 'certain';
  return !(await isServerAnswering(server, options, signal));
}

/** @throws the reason of the signal */
export async function isServerAnswering(
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await server.send('/models', null, signal, resolveCheckTimeoutSeconds(options));
    return status < 500 && status !== 429;
  } catch (error) {
    if (error instanceof OpenAiRequestError) return false;
    throw error;
  }
}
