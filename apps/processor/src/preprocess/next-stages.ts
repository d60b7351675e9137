import { type ChunkInput, chunkStage, type NewStage } from '@app/jobs';

/**
 * What a cut file makes due: its chunks, or aggregation where there is no speech at all.
 * The longest chunks come first, so that those still running at the end are short and no core idles for long.
 */
export function nextStages(chunks: readonly ChunkInput[]): NewStage[] {
  if (chunks.length === 0) return [{ name: 'aggregation', chunkIndex: 0, input: null }];
  return chunks
    .map((input, index) => ({ name: chunkStage(index), chunkIndex: index, input }))
    .toSorted((a, b) => lengthOf(b.input) - lengthOf(a.input));
}

/** Seconds. */
function lengthOf({ start, end }: ChunkInput): number {
  return end - start;
}
