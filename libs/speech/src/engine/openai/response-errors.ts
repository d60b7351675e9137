import { UnreadableChunkError, EngineUnavailableError } from '../engine.js';
import type { OpenAiOptions, OpenAiResponse } from './openai-client.js';

export const ENGINE_NAME = 'openai';

/** @param response a final one: a retry would fail again */
export function toEngineError(response: OpenAiResponse, { baseUrl, model }: OpenAiOptions): Error {
  const { status, excerpt } = response;
  const cause = new Error(`HTTP ${status}: ${excerpt}`);
  switch (status) {
    case 400:
    case 422:
      return new UnreadableChunkError({
        cause,
        detail: `If ${baseUrl} takes only shorter audio, lower CHUNK_SECONDS and CHUNK_MAX_SECONDS. It answers ${cause.message}`,
      });
    case 415:
      return new UnreadableChunkError({ cause, detail: `${baseUrl} answers ${cause.message}` });
    case 413:
      // Concerns this chunk only: others may be shorter.
      return new Error(
        `${baseUrl} rejects a chunk as too large. Lower CHUNK_SECONDS and CHUNK_MAX_SECONDS.`,
        {
          cause,
        },
      );
    case 401:
    case 403:
      return createEngineUnavailableError(`${baseUrl} rejects the key. Check OPENAI_API_KEY.`, cause);
    case 404:
      return createEngineUnavailableError(
        `${baseUrl} has no model ${model}, or no transcription API. Check OPENAI_BASE_URL and OPENAI_MODEL.`,
        cause,
      );
    case 402:
      return creditExhausted(baseUrl, cause);
    default:
      if (isQuotaExceeded(response)) return creditExhausted(baseUrl, cause);
      if (status >= 300 && status < 400)
        return createEngineUnavailableError(
          `${baseUrl} responds with HTTP ${status}. Check OPENAI_BASE_URL.`,
          cause,
        );
      // May concern this chunk only, so the engine counts as available.
      return cause;
  }
}

function creditExhausted(baseUrl: string, cause: Error): EngineUnavailableError {
  return createEngineUnavailableError(
    `${baseUrl} has no credit left for this key. Check the account of OPENAI_API_KEY.`,
    cause,
  );
}

/** A 429 for exhausted credit, which a short delay does not resolve. */
export function isQuotaExceeded({ status, text }: OpenAiResponse): boolean {
  return status === 429 && /"(code|type)"\s*:\s*"insufficient_quota"/.test(text);
}

export function createEngineUnavailableError(
  advice: string,
  cause?: unknown,
  isChunkSuspected = false,
): EngineUnavailableError {
  return new EngineUnavailableError(ENGINE_NAME, advice, { cause, isChunkSuspected });
}
