/** All of the material, for tests and commands. */
export { dialogue } from './dialogue.mjs';
export { mixture } from './mixture.mjs';
export { MADE_UP_NAMES, NAMED_SENTENCES, otherNames } from './names.mjs';
export { noise, silence, tone } from './signals.mjs';
export { filtered, FORMAT_NAMES, inFormat, truncated } from './variants.mjs';
