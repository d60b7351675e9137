import { describeVoices } from './describe-voices.mjs';
import { findSpeech } from './find-speech.mjs';
import { identifyLanguage } from './identify-language.mjs';
import { punctuate } from './punctuate.mjs';
import { recognize } from './recognize.mjs';

/** What a host can be asked: a kind of `requests.ts` -> its handler. */
export const HANDLERS = { recognize, findSpeech, describeVoices, punctuate, identifyLanguage };
