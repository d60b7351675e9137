/** Mixes noise into speech at a signal-to-noise ratio; short noise repeats, and the sum is clipped to 16 bits. */
export function mixWithNoise(speech: Int16Array, noise: Int16Array, decibels: number): Int16Array {
  const gain = loudness(speech) / loudness(noise) / 10 ** (decibels / 20);
  return speech.map((sample, at) => clip(sample + gain * (noise[at % noise.length] ?? 0)));
}

/** The average of the sounds, as long as the shortest. */
export function mixSounds(sounds: readonly Int16Array[]): Int16Array {
  const length = Math.min(...sounds.map((sound) => sound.length));
  return Int16Array.from(
    { length },
    (_, at) => sounds.reduce((sum, sound) => sum + (sound[at] ?? 0), 0) / sounds.length,
  );
}

/** Root mean square of the samples that are not zero. */
function loudness(samples: Int16Array): number {
  const sounding = samples.filter((sample) => sample !== 0);
  return Math.sqrt(sounding.reduce((sum, sample) => sum + sample ** 2, 0) / sounding.length);
}

function clip(value: number): number {
  return Math.max(-32_767, Math.min(32_767, value));
}
