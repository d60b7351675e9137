import { FormData } from 'undici';
import { z } from 'zod';
import {
  type OpenAiClient,
  type OpenAiOptions,
  OpenAiRequestError,
  type OpenAiResponse,
} from './openai-client.js';
import { resolveServerUrl } from './resolve-server-url.js';
import { toEngineError, createEngineUnavailableError } from './response-errors.js';
import { TRANSCRIPTION_PATH } from './transcription-request.js';

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });
const MAX_LISTED_MODELS = 10;
/** The start of the program waits for the check. */
const CHECK_TIMEOUT_SECONDS = 10;
const NO_ROUTE_STATUSES = [404, 405];
const REJECTED_KEY_STATUSES = [401, 403];

/**
 * A server without models passes if it accepts the key and has the transcription route.
 * @throws EngineUnavailableError when the server cannot be reached, rejects the key, or lacks the model or the route
 */
export async function assertOpenAiServerUsable(
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetchFromServer('/models', server, options, signal);
  if (REJECTED_KEY_STATUSES.includes(response.status)) throw toEngineError(response, options);
  if (NO_ROUTE_STATUSES.includes(response.status))
    return assertTranscriptionRouteExists(server, options, signal);
  if (response.status !== 200) return;
  const names = parseModelIds(response.text);
  // Perhaps the page of a web server, which it sends for all paths.
  if (names === null) return assertTranscriptionRouteExists(server, options, signal);
  if (names.length === 0 || names.includes(options.model)) return;
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

/** Tells a server without a list of models from a URL that is wrong. */
async function assertTranscriptionRouteExists(
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<void> {
  const response = await sendEmptyForm(server, options, signal);
  if (response === null) return;
  if (REJECTED_KEY_STATUSES.includes(response.status)) throw toEngineError(response, options);
  const isPage = response.status === 200 && /^\s*</.test(response.text);
  if (!isPage && !NO_ROUTE_STATUSES.includes(response.status)) return;
  const { baseUrl } = options;
  const advice = /\/v1\/*$/.test(new URL(baseUrl).pathname)
    ? 'Check OPENAI_BASE_URL.'
    : `Check OPENAI_BASE_URL: ${resolveServerUrl(baseUrl, '/v1')} may be the right URL.`;
  throw createEngineUnavailableError(
    `${baseUrl} has no transcription API (${isPage ? 'a web page' : `HTTP ${response.status}`} for ${TRANSCRIPTION_PATH}). ${advice}`,
  );
}

/** The form has no file, so nothing is charged. @returns null if there is no response: the server may work on another request first */
async function sendEmptyForm(
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<OpenAiResponse | null> {
  try {
    return await server.send(TRANSCRIPTION_PATH, new FormData(), signal, resolveCheckTimeoutSeconds(options));
  } catch (error) {
    if (error instanceof OpenAiRequestError) return null;
    throw error;
  }
}

async function fetchFromServer(
  path: string,
  server: OpenAiClient,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<OpenAiResponse> {
  try {
    return await server.send(path, null, signal, resolveCheckTimeoutSeconds(options));
  } catch (error) {
    if (!(error instanceof OpenAiRequestError)) throw error;
    throw createEngineUnavailableError(
      `${options.baseUrl} gives ${error.message}. Check OPENAI_BASE_URL and that the server runs.`,
      error,
    );
  }
}

/** Of requests that only ask whether the server works. */
export function resolveCheckTimeoutSeconds({
  timeoutSeconds,
  checkTimeoutSeconds = CHECK_TIMEOUT_SECONDS,
}: OpenAiOptions): number {
  return Math.min(timeoutSeconds, checkTimeoutSeconds);
}

/** @returns null if it is no list of models */
function parseModelIds(text: string): string[] | null {
  try {
    return modelList.parse(JSON.parse(text)).data.map(({ id }) => id);
  } catch {
    return null;
  }
}
