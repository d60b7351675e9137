import type { ChunkResultEngine } from '@app/jobs';
import type { SpeechEngine } from '@app/speech';

/** What the result of a chunk says about the engine of this process. */
export async function describeEngineForChunkResult(
  engine: Pick<SpeechEngine, 'capabilities' | 'identity'>,
): Promise<ChunkResultEngine> {
  const { punctuation, vocabulary } = engine.capabilities;
  return { ...(await engine.identity()), punctuation, vocabulary };
}
