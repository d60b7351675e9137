import { UnreadableChunkError, EngineUnavailableError } from '../engine.js';
import type { OpenAiOptions, OpenAiResponse } from './openai-client.js';

export const ENGINE_NAME = 'openai';

/** What an answer other than 2xx means, where another try would bring the same. */
export function toEngineError(answer: OpenAiResponse, { baseUrl, model }: OpenAiOptions): Error {
  const { status, excerpt } = answer;
  const cause = new Error(`HTTP ${status}: ${excerpt}`);
  switch (status) {
    case 400:
    case 415:
    case 422:
      return new UnreadableChunkError({ cause });
    case 413:
      // Of this chunk: another may be short enough.
      return new Error(`${baseUrl} finds a chunk too large. Lower CHUNK_SECONDS and CHUNK_MAX_SECONDS.`, {
        cause,
      });
    case 401:
    case 403:
      return engineUnavailable(`${baseUrl} refuses the key. Check OPENAI_API_KEY.`, cause);
    case 404:
      return engineUnavailable(
        `${baseUrl} knows no model ${model}, or no transcriptions at all. Check OPENAI_BASE_URL and OPENAI_MODEL.`,
        cause,
      );
    case 402:
      return creditExhausted(baseUrl, cause);
    default:
      if (isQuotaExceeded(answer)) return creditExhausted(baseUrl, cause);
      if (status >= 300 && status < 400)
        return engineUnavailable(`${baseUrl} answers with HTTP ${status}. Check OPENAI_BASE_URL.`, cause);
      // Perhaps of this chunk: it is not to be waited for.
      return cause;
  }
}

function creditExhausted(baseUrl: string, cause: Error): EngineUnavailableError {
  return engineUnavailable(
    `${baseUrl} has no credit left for this key. Check the account of OPENAI_API_KEY.`,
    cause,
  );
}

/** A 429 that no waiting of seconds helps against. */
export function isQuotaExceeded({ status, text }: OpenAiResponse): boolean {
  return status === 429 && /"(code|type)"\s*:\s*"insufficient_quota"/.test(text);
}

export function engineUnavailable(advice: string, cause?: unknown): EngineUnavailableError {
  return new EngineUnavailableError(ENGINE_NAME, advice, { cause });
}
