import { silentWav, synthesizeSpeech, type Bytes } from '../../e2e/support/audio.js';

const BYTES_PER_SECOND = 32_000;
const HEADER_BYTES = 44;

/** A sentence of speech, with silence after it up to a number of bytes. */
export async function makeRecording(bytes = 0): Promise<Bytes> {
  const speech = await synthesizeSpeech('I can see the library from the small mountain.');
  return padWithSilence(speech, bytes);
}

export function padWithSilence(speech: Bytes, bytes: number): Bytes {
  if (bytes <= speech.length) return speech;
  const recording = silentWav((bytes - HEADER_BYTES) / BYTES_PER_SECOND);
  recording.set(speech.subarray(HEADER_BYTES), HEADER_BYTES);
  return recording;
}
