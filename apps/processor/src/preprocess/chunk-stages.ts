import { type ChunkInput, chunkStage, type NewStage } from '@app/jobs';

/** The longest chunks come first, so that those still running at the end are short and no core idles for long. */
export function chunkStages(chunks: readonly ChunkInput[]): NewStage[] {
  return chunks
    .map((input, index) => ({ name: chunkStage(index), chunkIndex: index, input }))
    .toSorted((a, b) => lengthOf(b.input) - lengthOf(a.input));
}

/** Seconds. */
function lengthOf({ start, end }: ChunkInput): number {
  return end - start;
}
