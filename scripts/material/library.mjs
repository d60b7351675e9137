/** All of the material, for tests and commands. */
export { dialogue } from './dialogue.mjs';
export { noise, silence, tone } from './signals.mjs';
export { FORMAT_NAMES, inFormat, truncated } from './variants.mjs';
