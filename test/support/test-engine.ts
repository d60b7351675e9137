import type { SpeechEngine } from '@app/speech';

/** What a fake engine says about itself. */
export const TEST_ENGINE: Pick<SpeechEngine, 'capabilities' | 'identity'> = {
  capabilities: { languages: ['en'], wordTimes: true, punctuation: false, vocabulary: false },
  identity: async () => ({ name: 'test', model: null, version: null }),
};
