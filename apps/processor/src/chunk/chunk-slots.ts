import { StageSlots } from '../queues/stage-slots.js';

/** How many chunks this process transcribes at a time. */
export class ChunkSlots extends StageSlots {}
