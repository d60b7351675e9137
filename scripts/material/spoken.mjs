/**
 * @typedef {{ speaker: string, voice: string, text: string }} Line
 * @typedef {Line & { start: number, end: number }} Turn start and end in seconds of the recording
 */

/**
 * Appends a line to a recording.
 * @param {import('./wav.mjs').WavWriter} out
 * @param {Line} line
 * @param {Int16Array} samples without silence at either end
 * @returns {Promise<Turn>}
 */
export async function writeTurn(out, line, samples) {
  const start = out.seconds;
  await out.write(samples);
  return { speaker: line.speaker, voice: line.voice, text: line.text, start, end: out.seconds };
}
