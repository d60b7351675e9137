/** Spoken by flite's voice slt; the embedded engine recognises every one of `RELIABLY_RECOGNIZED_WORDS` in it. */
export const SPOKEN_TEXT =
  'The train to the city leaves at nine and arrives shortly before noon. ' +
  'Please send the letter to the office and keep a copy for yourself. ' +
  'There was a small light in the window.';

/** In their order. */
export const RELIABLY_RECOGNIZED_WORDS =
  'train city nine shortly noon letter office copy yourself window'.split(' ');
