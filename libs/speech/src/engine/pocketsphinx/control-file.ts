import type { Utterance } from './utterances.js';

const ENGINE_FRAMES_PER_SECOND = 100;

/** One line an utterance: file, first and last frame, and its number as the name. */
export function controlFile(name: string, utterances: readonly Utterance[]): string {
  return utterances.map((utterance, index) => controlLine(name, utterance, index)).join('');
}

/** Seconds from the start of the chunk at which the engine's clock of this utterance begins. */
export function clockStart(utterance: Utterance): number {
  return firstFrame(utterance) / ENGINE_FRAMES_PER_SECOND;
}

function controlLine(name: string, utterance: Utterance, index: number): string {
  const last = Math.floor(utterance.end * ENGINE_FRAMES_PER_SECOND);
  return `${name} ${firstFrame(utterance)} ${last} ${index}\n`;
}

function firstFrame(utterance: Utterance): number {
  return Math.floor(utterance.start * ENGINE_FRAMES_PER_SECOND);
}
