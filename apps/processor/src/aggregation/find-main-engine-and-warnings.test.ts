import type { ChunkResultEngine } from '@app/jobs';
import { describe, expect, it } from 'vitest';
import { findMainEngineAndWarnings } from './find-main-engine-and-warnings.js';

const POCKETSPHINX: ChunkResultEngine = {
  ...{ name: 'pocketsphinx', model: 'en-us', version: null },
  ...{ punctuation: false, vocabulary: true },
};
const SHERPA: ChunkResultEngine = {
  ...{ name: 'sherpa', model: 'tiny', version: '1.13.8' },
  ...{ punctuation: true, vocabulary: false },
};

describe('findMainEngineAndWarnings', () => {
  it('returns the engine of the chunks, not that of the aggregating process', () => {
    expect(findMainEngineAndWarnings([{ engine: SHERPA, seconds: 3 }], POCKETSPHINX)).toEqual({
      engine: SHERPA,
      warnings: [],
    });
  });

  it('returns the own engine for recordings without speech and for chunks of older versions', () => {
    expect(findMainEngineAndWarnings([], SHERPA)).toEqual({ engine: SHERPA, warnings: [] });
    expect(findMainEngineAndWarnings([{ seconds: 3 }], SHERPA)).toEqual({ engine: SHERPA, warnings: [] });
  });

  it('returns the engine of most of the recording and warns about the others', () => {
    const spans = [
      { engine: POCKETSPHINX, seconds: 20 },
      { engine: SHERPA, seconds: 15 },
      { engine: { ...SHERPA }, seconds: 15 },
    ];
    expect(findMainEngineAndWarnings(spans, POCKETSPHINX)).toEqual({
      engine: SHERPA,
      warnings: [
        {
          code: 'several_engines',
          message:
            'Parts of the recording were transcribed by different engines: sherpa tiny 1.13.8 (30 s), pocketsphinx en-us (20 s).',
          segment_id: null,
        },
      ],
    });
  });
});
