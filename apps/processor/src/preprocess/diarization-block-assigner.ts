import type { ChunkInput, DiarizationBlockChunk } from '@app/jobs';

interface OpenBlock {
  start: number;
  /** Seconds of audio. */
  seconds: number;
  chunks: DiarizationBlockChunk[];
  last: ChunkInput;
}

/**
 * Joins consecutive chunks to blocks of minutes, in which speakers are found at once: a chunk has too little of a voice. The
 * chunk that ends a block describes all of it, so blocks are processed in parallel like chunks.
 */
export class DiarizationBlockAssigner {
  /** By channel. */
  private readonly open = new Map<number, OpenBlock>();

  constructor(private readonly targetSeconds: number) {}

  /** Sets `speakerBlock` of the chunk. @param chunk the next of its channel */
  add(chunk: ChunkInput): void {
    const channel = chunk.channel ?? 0;
    const block = this.open.get(channel) ?? { start: chunk.start, seconds: 0, chunks: [], last: chunk };
    const offset = chunk.start - block.start;
    const parts = (chunk.packed?.parts ?? [{ audioStart: 0, start: 0, end: chunk.end - chunk.start }]).map(
      ({ audioStart, start, end }) => ({
        audioStart: block.seconds + audioStart,
        start: offset + start,
        end: offset + end,
      }),
    );
    block.chunks.push({ key: chunk.key, parts });
    block.seconds += chunk.packed?.seconds ?? chunk.end - chunk.start;
    block.last = chunk;
    chunk.speakerBlock = { start: block.start };
    this.open.set(channel, block);
    if (block.seconds >= this.targetSeconds) this.close(channel, block);
  }

  /** False while the chunk may turn out to be the last of its block, which changes its input. */
  isFinal(chunk: ChunkInput): boolean {
    return [...this.open.values()].every(({ last }) => last !== chunk);
  }

  /** Call it after the last chunk of the file. */
  closeAll(): void {
    for (const [channel, block] of this.open) this.close(channel, block);
  }

  private close(channel: number, { start, chunks, last }: OpenBlock): void {
    last.speakerBlock = { start, chunks };
    this.open.delete(channel);
  }
}
