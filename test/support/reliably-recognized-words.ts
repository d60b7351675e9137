/** A text in which the embedded engine recognizes all `RELIABLY_RECOGNIZED_WORDS` when flite's voice slt reads it. */
export const SPOKEN_TEXT =
  'The train to the city leaves at nine and arrives shortly before noon. ' +
  'Please send the letter to the office and keep a copy for yourself. ' +
  'There was a small light in the window.';

/** In the order of the text. */
export const RELIABLY_RECOGNIZED_WORDS =
  'train city nine shortly noon letter office copy yourself window'.split(' ');
