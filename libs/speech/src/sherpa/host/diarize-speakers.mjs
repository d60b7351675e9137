import sherpa from 'sherpa-onnx-node';
import { cachedModel } from './model-cache.mjs';
import { toWaveform } from './waveform.mjs';

const RATE = 16_000;
/** Seconds of a voice alone that an embedding needs to be worth anything. */
const MIN_SPEAKER_SECONDS = 0.4;
/** More of a voice makes its embedding no better, and costs. */
const MOST_SECONDS = 20;

/**
 * The voices of one stretch of sound. @param {import('./host-requests.js').DiarizeRequest} request
 * @returns {import('./host-requests.js').DiarizedSpeaker[]}
 */
export function diarizeSpeakers({ model, samples }) {
  const { diarization, embedding } = model;
  const diarizer = cachedModel(
    'diarization',
    diarization,
    () => new sherpa.OfflineSpeakerDiarization(diarization),
  );
  const extractor = cachedModel(
    'embedding',
    embedding,
    () => new sherpa.SpeakerEmbeddingExtractor(embedding),
  );
  const { samples: wave } = toWaveform(samples);
  const all = diarizer.process(wave).sort((a, b) => a.start - b.start);
  const voices = [...new Set(all.map(({ speaker }) => speaker))];
  return voices.map((voice) => {
    const turns = all.filter(({ speaker }) => speaker === voice);
    const others = all.filter(({ speaker }) => speaker !== voice);
    return {
      turns: turns.map(({ start, end }) => ({ start, end })),
      embedding: embeddingOf(
        extractor,
        wave,
        turns.flatMap((turn) => alone(turn, others)),
      ),
    };
  });
}

/** The parts of a turn in which nobody else speaks. */
function alone(turn, others) {
  const parts = [];
  let from = turn.start;
  for (const { start, end } of others) {
    if (end <= from || start >= turn.end) continue;
    if (start > from) parts.push({ start: from, end: start });
    from = end;
  }
  return from < turn.end ? [...parts, { start: from, end: turn.end }] : parts;
}

function embeddingOf(extractor, wave, parts) {
  const stream = extractor.createStream();
  let seconds = 0;
  for (const { start, end } of parts) {
    const until = Math.min(end, start + MOST_SECONDS - seconds);
    const samples = wave.subarray(Math.round(start * RATE), Math.round(until * RATE));
    if (samples.length > 0) stream.acceptWaveform({ samples, sampleRate: RATE });
    seconds += samples.length / RATE;
  }
  stream.inputFinished();
  return seconds >= MIN_SPEAKER_SECONDS && extractor.isReady(stream)
    ? extractor.compute(stream, false)
    : null;
}
