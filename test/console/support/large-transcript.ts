/** Of each word, in the transcript and between the starts of two words. */
const WORD_SECONDS = 0.3;
const WORDS_PER_SEGMENT = 14;
const VOCABULARY = [
  'Good',
  'morning',
  'the',
  'schedule',
  'of',
  'every',
  'harbour',
  'changes',
  'in',
  'winter',
];

export const LARGE_JOB = {
  job_id: '0190f0a0-0000-7000-8000-000000000001',
  status: 'completed',
  file_name: 'long.wav',
  source: 'multipart',
  output_type: 'json',
  failed_stage: null,
  reason: null,
  steps_done: 3,
  steps_total: 3,
  transcript_available: true,
  options: {},
  metadata: {},
  callback_url: null,
};

/** Start of a word in seconds. */
export function startOfWord(word: number): number {
  return word * WORD_SECONDS;
}

/** A transcript of two speakers, as the service renders it. */
export function makeLargeTranscript(words: number) {
  const segments = Array.from({ length: Math.ceil(words / WORDS_PER_SEGMENT) }, (_, id) => {
    const first = id * WORDS_PER_SEGMENT;
    const count = Math.min(WORDS_PER_SEGMENT, words - first);
    const spoken = Array.from({ length: count }, (__, offset) => {
      const start = startOfWord(first + offset);
      return {
        word: VOCABULARY[(first + offset) % VOCABULARY.length] ?? '',
        start,
        end: start + WORD_SECONDS - 0.02,
        confidence: offset % 9 === 0 ? 0.3 : 0.9,
        speaker: null,
      };
    });
    return {
      id,
      start: startOfWord(first),
      end: startOfWord(first + count),
      text: spoken.map(({ word }) => word).join(' '),
      language: 'en',
      speaker: `SPEAKER_${1 + (Math.floor(id / 4) % 2)}`,
      confidence: 0.8,
      words: spoken,
    };
  });
  return {
    duration: startOfWord(words),
    language: 'en',
    speakers: [
      { id: 'SPEAKER_1', name: null, duration: 1 },
      { id: 'SPEAKER_2', name: null, duration: 1 },
    ],
    segments,
    warnings: [],
  };
}
