import { type ChunkInput, buildChunkStageName, type NewStage } from '@app/jobs';

/** The longest chunks come first, so that those still running at the end are short and no core idles for long. */
export function buildChunkStages(chunks: readonly ChunkInput[]): NewStage[] {
  return chunks
    .map((input, index) => ({ name: buildChunkStageName(index), chunkIndex: index, input }))
    .toSorted((a, b) => chunkDuration(b.input) - chunkDuration(a.input));
}

/** Seconds. */
function chunkDuration({ start, end }: ChunkInput): number {
  return end - start;
}
