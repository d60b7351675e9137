import { type ChunkInput, buildChunkStageName, type NewStage } from '@app/jobs';

/** Orders the longest chunks first, so that the last running chunks are short and no core idles for long. */
export function buildChunkStages(chunks: readonly ChunkInput[]): NewStage[] {
  return chunks
    .map((input, index) => ({ name: buildChunkStageName(index), chunkIndex: index, input }))
    .toSorted((a, b) => chunkDuration(b.input) - chunkDuration(a.input));
}

/** Seconds. */
function chunkDuration({ start, end }: ChunkInput): number {
  return end - start;
}
