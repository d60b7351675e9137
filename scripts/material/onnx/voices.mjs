/** Tones that the tiny segmentation model treats as the voices of three speakers. */
export const VOICE_HERTZ = [300, 500, 800];

/** A tone that the tiny voice activity model never treats as speech, however loud it is. */
export const HUM_HERTZ = 6000;
