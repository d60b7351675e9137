import { ChunkUnreadable, EngineUnavailable } from '../engine-errors.js';
import type { OpenAiOptions } from './openai-options.js';
import type { ServerAnswer } from './server.js';

export const NAME = 'openai';

/** What an answer other than 2xx means, where another try would bring the same. */
export function refusal(answer: ServerAnswer, { baseUrl, model }: OpenAiOptions): Error {
  const { status, excerpt } = answer;
  const cause = new Error(`HTTP ${status}: ${excerpt}`);
  switch (status) {
    case 400:
    case 415:
    case 422:
      return new ChunkUnreadable({ cause });
    case 413:
      // Of this chunk: another may be short enough.
      return new Error(`${baseUrl} finds a chunk too large. Lower CHUNK_SECONDS and CHUNK_MAX_SECONDS.`, {
        cause,
      });
    case 401:
    case 403:
      return unavailable(`${baseUrl} refuses the key. Check OPENAI_API_KEY.`, cause);
    case 404:
      return unavailable(
        `${baseUrl} knows no model ${model}, or no transcriptions at all. Check OPENAI_BASE_URL and OPENAI_MODEL.`,
        cause,
      );
    case 402:
      return noCredit(baseUrl, cause);
    default:
      if (isOutOfCredit(answer)) return noCredit(baseUrl, cause);
      if (status >= 300 && status < 400)
        return unavailable(`${baseUrl} answers with HTTP ${status}. Check OPENAI_BASE_URL.`, cause);
      // Perhaps of this chunk: it is not to be waited for.
      return cause;
  }
}

function noCredit(baseUrl: string, cause: Error): EngineUnavailable {
  return unavailable(
    `${baseUrl} has no credit left for this key. Check the account of OPENAI_API_KEY.`,
    cause,
  );
}

/** A 429 that no waiting of seconds helps against. */
export function isOutOfCredit({ status, text }: ServerAnswer): boolean {
  return status === 429 && /"(code|type)"\s*:\s*"insufficient_quota"/.test(text);
}

export function unavailable(advice: string, cause?: unknown): EngineUnavailable {
  return new EngineUnavailable(NAME, advice, { cause });
}
