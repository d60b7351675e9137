/** Auxiliary models of an installation that has none. */
export const NO_MODELS = {
  speechDetector: null,
  speakerFeatureExtractor: null,
  languageIdentifier: null,
  punctuator: null,
};
