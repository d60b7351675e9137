/**
 * Lines that are spoken into a file, and the exact time of each.
 *
 * @typedef {{ speaker: string, voice: string, text: string }} Line
 * @typedef {Line & { start: number, end: number }} Turn seconds on the file's clock, to the sample
 */

/**
 * Writes a line at the end of what a file holds so far.
 * @param {import('./wav.mjs').WavWriter} out
 * @param {Line} line
 * @param {Int16Array} samples the line as spoken, without silence at its ends
 * @returns {Promise<Turn>}
 */
export async function writeTurn(out, line, samples) {
  const start = out.seconds;
  await out.write(samples);
  return { speaker: line.speaker, voice: line.voice, text: line.text, start, end: out.seconds };
}
