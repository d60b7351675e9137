import { z } from 'zod';
import type { OpenAiOptions } from './openai-options.js';
import { refusal, unavailable } from './refusal.js';
import { type OpenAiServer, type ServerAnswer, ServerTrouble } from './server.js';

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });
const FEW = 10;

/**
 * Asks for the models. A server without such a list, or with models beside it, passes as long as it takes the key.
 * @throws EngineUnavailable when it is not there, refuses the key or says that it has no such model
 */
export async function checkServer(
  server: OpenAiServer,
  options: OpenAiOptions,
  signal: AbortSignal,
): Promise<void> {
  const answer = await ask('/models', server, options, signal);
  if ([401, 403].includes(answer.status)) throw refusal(answer, options);
  const names = namesIn(answer);
  if (names === null || names.includes(options.model)) return;
  const one = await ask(`/models/${encodeURIComponent(options.model)}`, server, options, signal);
  if (one.status === 404)
    throw unavailable(
      `${options.baseUrl} has no model ${options.model}. Set OPENAI_MODEL to one of: ${names.slice(0, FEW).join(', ')}.`,
    );
}

async function ask(
  path: string,
  server: OpenAiServer,
  { baseUrl }: OpenAiOptions,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  try {
    return await server.ask(path, null, signal);
  } catch (error) {
    if (!(error instanceof ServerTrouble)) throw error;
    throw unavailable(
      `${baseUrl} gives ${error.message}. Check OPENAI_BASE_URL and that the server runs.`,
      error,
    );
  }
}

/** Null where the server lists nothing that can be read. */
function namesIn({ status, text }: ServerAnswer): string[] | null {
  if (status !== 200) return null;
  try {
    const { data } = modelList.parse(JSON.parse(text));
    return data.length > 0 ? data.map(({ id }) => id) : null;
  } catch {
    return null;
  }
}
