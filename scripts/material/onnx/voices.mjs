/** Hertz of the tones that stand for voices, as the tiny segmentation tells them apart. */
export const VOICES = [300, 500, 800];

/** A tone that the tiny voice activity takes for no speech, however loud it is. */
export const HUM_HERTZ = 6000;
