/**
 * Writes turns one after the other into a WAV file and notes the exact time of each.
 *
 * @typedef {{ speaker: string, voice: string, text: string }} Line
 * @typedef {Line & { start: number, end: number }} Turn seconds on the file's clock, to the sample
 */
/**
 * @param {import('./wav.mjs').WavWriter} out
 * @param {Line} line
 * @param {Int16Array} samples the line as spoken, without silence at its ends
 * @param {number} pause seconds of silence after it
 * @returns {Promise<Turn>}
 */
export async function writeTurn(out, line, samples, pause) {
  const start = out.seconds;
  await out.write(samples);
  const end = out.seconds;
  await out.writeSilence(pause);
  return { speaker: line.speaker, voice: line.voice, text: line.text, start, end };
}
