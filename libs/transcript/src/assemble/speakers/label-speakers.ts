import type { TranscriptSpeaker } from '../../transcript-document.js';
import type { SpeakerTurn } from '../assembly-input.js';
import { findSpeakerLabelPerWord } from './assign-speakers.js';
import { clamp, roundToThreeDecimals } from '../numbers.js';
import type { TimelineWord } from '../timeline.js';

/** The words of one channel, or of all if they were mixed. */
export interface ChannelWords {
  channel: number | null;
  words: readonly TimelineWord[];
}

interface HeardVoice {
  channel: number | null;
  /** Label of its turns. */
  label: string;
  /** Seconds: start of its first word. */
  start: number;
  words: TimelineWord[];
}

/**
 * Names the speaker of each word, in place, by first appearance in the file. A voice on one channel is not that of
 * another channel.
 */
export function labelSpeakersMutatingWords(
  channels: readonly ChannelWords[],
  turns: readonly SpeakerTurn[],
  duration: number,
): TranscriptSpeaker[] {
  const voices = channels
    .flatMap((heard) => findVoices(heard, turnsOf(heard.channel, turns)))
    .sort((a, b) => a.start - b.start);
  return voices.map(({ channel, label, words }, index) => {
    const id = `SPEAKER_${index + 1}`;
    for (const word of words) word.speaker = id;
    const spoken = turnsOf(channel, turns).filter((turn) => String(turn.speaker) === label);
    return { id, name: null, duration: roundToThreeDecimals(totalDuration(spoken, duration)), channel };
  });
}

function turnsOf(channel: number | null, turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  return turns.filter((turn) => (turn.channel ?? null) === channel);
}

function findVoices({ channel, words }: ChannelWords, turns: readonly SpeakerTurn[]): HeardVoice[] {
  const voices = new Map<string, HeardVoice>();
  for (const [index, label] of findSpeakerLabelPerWord(words, turns).entries()) {
    const word = words[index];
    if (label === null || !word) continue;
    const voice = voices.get(label) ?? { channel, label, start: word.start, words: [] };
    voices.set(label, voice);
    voice.words.push(word);
  }
  return [...voices.values()];
}

function totalDuration(turns: readonly SpeakerTurn[], duration: number): number {
  const spans = turns.map(({ start, end }) => ({
    start: clamp(start, 0, duration),
    end: clamp(end, 0, duration),
  }));
  let total = 0;
  let reached = 0;
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}
