import { diarizeSpeakers } from './diarize-speakers.mjs';
import { detectSpeech } from './detect-speech.mjs';
import { identifyLanguage } from './identify-language.mjs';
import { punctuate } from './punctuate.mjs';
import { recognize } from './recognize.mjs';

/** What a host can be asked: a kind of `requests.ts` -> its handler. */
export const HANDLERS = { recognize, detectSpeech, diarizeSpeakers, punctuate, identifyLanguage };
