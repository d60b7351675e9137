import { StageSlots } from '../queues/stage-slots.js';

/** How many transcripts this process assembles at a time from stored chunks. */
export class AggregationSlots extends StageSlots {}
