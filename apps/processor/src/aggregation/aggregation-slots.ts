import { ChunkSlots } from '../chunk/chunk-slots.js';

/** How many transcripts this process assembles at a time from stored chunks, whether a queue message or a chunk led to them. */
export class AggregationSlots extends ChunkSlots {}
