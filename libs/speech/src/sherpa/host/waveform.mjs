/** What the library takes: 16-bit samples as fractions of full scale. @param {Int16Array} samples */
export function toWaveform(samples) {
  return { samples: Float32Array.from(samples, (sample) => sample / 32768), sampleRate: 16000 };
}
