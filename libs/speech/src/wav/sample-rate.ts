/** Samples a second of all sound after decoding (mono, 16 bit). */
export const SAMPLE_RATE = 16_000;
