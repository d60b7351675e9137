import { z } from 'zod';
import {
  type OpenAiClient,
  type OpenAiOptions,
  OpenAiRequestError,
  type OpenAiResponse,
} from './openai-client.js';
import { toEngineError, createEngineUnavailableError } from './response-errors.js';

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });
const MAX_LISTED_MODELS = 10;
/** The program that checks waits with its start. */
const CHECK_TIMEOUT_SECONDS = 10;

/**
 * A server without models passes if it accepts the key.
 * @throws EngineUnavailableError when the server cannot be reached, rejects the key or lacks the model
 */
export async function assertOpenAiServerUsable(
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetchFromServer('/models', server, options, signal);
  if ([401, 403].includes(response.status)) throw toEngineError(response, options);
  const names = parseModelIds(response);
  if (names === null || names.includes(options.model)) return;
  const model = await fetchFromServer(
    `/models/${encodeURIComponent(options.model)}`,
    server,
    options,
    signal,
  );
  if (model.status === 404)
    throw createEngineUnavailableError(
      `${options.baseUrl} has no model ${options.model}. Set OPENAI_MODEL to one of: ${names.slice(0, MAX_LISTED_MODELS).join(', ')}.`,
    );
}

async function fetchFromServer(
  path: string,
  server: OpenAiClient,
  { baseUrl, timeoutSeconds, checkTimeoutSeconds = CHECK_TIMEOUT_SECONDS }: OpenAiOptions,
  signal: AbortSignal,
): Promise<OpenAiResponse> {
  try {
    return await server.send(path, null, signal, Math.min(timeoutSeconds, checkTimeoutSeconds));
  } catch (error) {
    if (!(error instanceof OpenAiRequestError)) throw error;
    throw createEngineUnavailableError(
      `${baseUrl} gives ${error.message}. Check OPENAI_BASE_URL and that the server runs.`,
      error,
    );
  }
}

/** Null for an empty or invalid list. */
function parseModelIds({ status, text }: OpenAiResponse): string[] | null {
  if (status !== 200) return null;
  try {
    const { data } = modelList.parse(JSON.parse(text));
    return data.length > 0 ? data.map(({ id }) => id) : null;
  } catch {
    return null;
  }
}
