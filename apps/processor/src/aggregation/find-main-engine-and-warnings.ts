import type { ChunkResultEngine } from '@app/jobs';
import type { TranscriptWarning } from '@app/transcript';

export interface EngineAndSeconds {
  /** Absent in rows of older versions. */
  engine?: ChunkResultEngine | undefined;
  seconds: number;
}

/**
 * The engine that transcribed most of a recording. Processors may have different ones.
 * @param ownEngine of this process, taken where the chunks name none
 */
export function findMainEngineAndWarnings(
  spans: readonly EngineAndSeconds[],
  ownEngine: ChunkResultEngine,
): { engine: ChunkResultEngine; warnings: TranscriptWarning[] } {
  const secondsByEngine = new Map<string, { engine: ChunkResultEngine; seconds: number }>();
  for (const { engine = ownEngine, seconds } of spans) {
    const key = formatEngine(engine);
    const entry = secondsByEngine.get(key) ?? { engine, seconds: 0 };
    secondsByEngine.set(key, { ...entry, seconds: entry.seconds + seconds });
  }
  const [main, ...others] = [...secondsByEngine.values()].sort((a, b) => b.seconds - a.seconds);
  const shares = [...(main ? [main] : []), ...others].map(
    ({ engine, seconds }) => `${formatEngine(engine)} (${seconds.toFixed(0)} s)`,
  );
  const warning = {
    code: 'several_engines',
    message: `Parts of the recording were transcribed by different engines: ${shares.join(', ')}.`,
    segment_id: null,
  };
  return { engine: main?.engine ?? ownEngine, warnings: others.length > 0 ? [warning] : [] };
}

function formatEngine({ name, model, version }: ChunkResultEngine): string {
  return [name, model, version].filter((part) => part !== null).join(' ');
}
