import { describe, expect, it } from 'vitest';
import { describeStage } from './describe-stage.ts';

describe('describeStage', () => {
  it.each([
    ['preprocess', 'Splitting the audio into parts'],
    ['chunk:0', 'Transcribing part 1'],
    ['chunk:11', 'Transcribing part 12'],
    ['aggregation', 'Putting the transcript together'],
    ['a stage of another version', 'a stage of another version'],
  ])('%s is %s', (stage, text) => {
    expect(describeStage(stage)).toBe(text);
  });
});
