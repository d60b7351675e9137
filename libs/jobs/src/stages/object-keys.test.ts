import { describe, expect, it } from 'vitest';
import {
  buildChunkKey,
  buildTranscriptDocumentKey,
  buildDocumentKeyFromResultKey,
  buildFetchedAudioKey,
  buildRenderedTranscriptKey,
} from './object-keys.js';

const ID = '0193a5c0-0000-7000-8000-000000000000';

/** The keys that several holders of one stage would write under. */
const keysOf = (key: (fence: number) => string) => new Set([1, 2, 11].map(key));

describe('object keys', () => {
  it('of fetched audio differ for every fence', () => {
    expect(keysOf((fence) => buildFetchedAudioKey(ID, fence)).size).toBe(3);
  });

  it('of a chunk differ for every fence', () => {
    expect(keysOf((fence) => buildChunkKey(ID, fence, { chunking: 1, index: 1 })).size).toBe(3);
  });

  it('of a chunk differ for every chunking of an attempt', () => {
    expect(keysOf((chunking) => buildChunkKey(ID, 1, { chunking, index: 1 })).size).toBe(3);
  });

  it('of a transcript and its document differ for every fence', () => {
    expect(keysOf((fence) => buildRenderedTranscriptKey(ID, fence, 'txt')).size).toBe(3);
    expect(keysOf((fence) => buildTranscriptDocumentKey(ID, fence)).size).toBe(3);
    expect(buildDocumentKeyFromResultKey(buildRenderedTranscriptKey(ID, 2, 'txt'))).toBe(
      buildTranscriptDocumentKey(ID, 2),
    );
  });
});
