import sherpa from 'sherpa-onnx-node';
import { cachedModel, toWaveform } from './model-cache.mjs';

const SAMPLE_RATE = 16_000;
/** With less unoverlapped speech than this an embedding is unreliable. */
const MIN_SPEAKER_SECONDS = 0.4;
/** More audio costs time and does not improve an embedding. */
const MAX_EMBEDDED_SECONDS = 20;

/**
 * @param {import('./host-requests.js').DiarizeRequest} request
 * @returns {import('./host-requests.js').DiarizedSpeaker[]}
 */
export function diarizeSpeakers({ model, clusterDistance, samples }) {
  const { diarization, embedding } = model;
  const clustering = { numClusters: -1, threshold: clusterDistance };
  const diarizer = cachedModel(
    'diarization',
    diarization,
    () => new sherpa.OfflineSpeakerDiarization({ ...diarization, clustering }),
  );
  diarizer.setConfig({ clustering });
  const extractor = cachedModel(
    'embedding',
    embedding,
    () => new sherpa.SpeakerEmbeddingExtractor(embedding),
  );
  const { samples: wave } = toWaveform(samples);
  const all = diarizer.process(wave).sort((a, b) => a.start - b.start);
  const speakers = [...new Set(all.map(({ speaker }) => speaker))];
  return speakers.map((speaker) => {
    const turns = all.filter((turn) => turn.speaker === speaker);
    const others = all.filter((turn) => turn.speaker !== speaker);
    const spans = turns.flatMap((turn) => spansWithoutOverlap(turn, others));
    return {
      turns: turns.map(({ start, end }) => ({ start, end })),
      embedding: computeEmbedding(extractor, wave, spans),
    };
  });
}

/** The parts of a turn in which no other speaker talks; `others` are sorted by start. */
function spansWithoutOverlap(turn, others) {
  const spans = [];
  let from = turn.start;
  for (const { start, end } of others) {
    if (end <= from || start >= turn.end) continue;
    if (start > from) spans.push({ start: from, end: start });
    from = end;
  }
  return from < turn.end ? [...spans, { start: from, end: turn.end }] : spans;
}

function computeEmbedding(extractor, wave, spans) {
  const stream = extractor.createStream();
  let seconds = 0;
  for (const { start, end } of spans) {
    const until = Math.min(end, start + MAX_EMBEDDED_SECONDS - seconds);
    const samples = wave.subarray(Math.round(start * SAMPLE_RATE), Math.round(until * SAMPLE_RATE));
    if (samples.length > 0) stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
    seconds += samples.length / SAMPLE_RATE;
  }
  stream.inputFinished();
  return seconds >= MIN_SPEAKER_SECONDS && extractor.isReady(stream)
    ? extractor.compute(stream, false)
    : null;
}
