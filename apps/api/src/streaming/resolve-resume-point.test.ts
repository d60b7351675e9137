import { describe, expect, it } from 'vitest';
import { resolveResumePoint } from './resolve-resume-point.js';

describe('resolveResumePoint', () => {
  it.each([
    ['no id', undefined, 5, false, 0],
    ['an empty id', '', 5, false, 0],
    ['no id at a finished job', undefined, 5, true, 4],
    ['an empty id at a finished job', '', 5, true, 4],
    ['zero at a finished job', '0', 5, true, 0],
    ['an id in the middle of a finished job', '3', 5, true, 3],
    ['an id in the middle', '3', 5, false, 3],
    ['the newest id of a running job', '5', 5, false, 5],
    ['the newest id of a finished job', '5', 5, true, 4],
    ['an id from the future', '6', 5, false, 0],
    ['an id from the future of a finished job', '99', 5, true, 0],
    ['words', 'abc', 5, false, 0],
    ['words at a finished job', 'abc', 5, true, 0],
    ['a negative number', '-1', 5, false, 0],
    ['a number beyond all', '99999999999999999999', 5, false, 0],
  ])('%s', (_, id, newest, finished, expected) => {
    expect(resolveResumePoint(id, newest, finished)).toBe(expected);
  });
});
