/** The generators of test material, for tests and commands. */
export { makeDialogue } from './dialogue.mjs';
export { listNamesInSentences, MISHEARD_LANGUAGES } from './misheard-names.mjs';
export { compareWithSpoken, makeMisheardTranscripts } from './misheard-transcripts.mjs';
export { mixRecording } from './mixture.mjs';
export { MADE_UP_NAMES, NAMED_SENTENCES, makeUpNames } from './names.mjs';
export { makeNoise, makeSilence, makeTone } from './signals.mjs';
export { applyFilter, convertFormat, FORMAT_NAMES, truncateCopy } from './variants.mjs';
