import { describe, expect, it } from 'vitest';
import {
  buildTranscriptionForm,
  GranularityNegotiator,
  type ResponseGranularity,
} from './transcription-request.js';

function createNegotiator() {
  const reductions: ResponseGranularity[] = [];
  const negotiator = new GranularityNegotiator((reduced) => reductions.push(reduced));
  const acceptAll = (...accepted: ResponseGranularity[]) =>
    accepted.map((granularity) => {
      const [first] = negotiator.granularitiesToTry();
      negotiator.recordAccepted(granularity);
      return first;
    });
  return { take: acceptAll, told: reductions };
}

describe('buildTranscriptionForm', () => {
  it.each<[ResponseGranularity, string, string[]]>([
    ['word', 'verbose_json', ['word', 'segment']],
    // The default of the field, which some servers do not know.
    ['segment', 'verbose_json', []],
    ['text', 'json', []],
  ])('%s: requests %s with the granularities %j', (granularity, format, granularities) => {
    const form = buildTranscriptionForm({
      model: 'm',
      audio: { bytes: Buffer.alloc(0), format: 'wav' },
      granularity,
      vocabulary: { text: '', fields: [] },
      formFields: [],
    });
    expect(form.get('response_format')).toBe(format);
    expect(form.getAll('timestamp_granularities[]')).toEqual(granularities);
  });
});

describe('GranularityNegotiator', () => {
  it('the granularity is reduced and reported only after several consecutive chunks', () => {
    const { take: acceptAll, told: reductions } = createNegotiator();
    acceptAll('segment', 'segment', 'word', 'segment', 'segment');
    expect(reductions).toEqual([]);
    expect(acceptAll('segment', 'segment')).toEqual(['word', 'segment']);
    expect(reductions).toEqual(['segment']);
  });

  it('the finest granularity is probed periodically and restored when accepted', () => {
    const { take: acceptAll, told: reductions } = createNegotiator();
    const requested = acceptAll(...Array.from({ length: 49 }, (): ResponseGranularity => 'segment'));
    expect(requested.filter((first) => first === 'word')).toHaveLength(3);
    expect(acceptAll('segment', 'segment')).toEqual(['word', 'segment']);
    const later = acceptAll(...Array.from({ length: 48 }, (): ResponseGranularity => 'segment'));
    expect(new Set(later)).toEqual(new Set(['segment']));
    expect(acceptAll('word', 'word')).toEqual(['word', 'word']);
    expect(reductions).toEqual(['segment']);
  });
});
