import { describe, expect, it } from 'vitest';
import type { Job } from '../api/jobs.ts';
import { mergeNewestJobs } from './merge-newest-jobs.ts';

function jobs(...names: string[]): Job[] {
  return names.map((name) => ({ job_id: name, created_at: name.charAt(0) }) as Job);
}

describe('mergeNewestJobs', () => {
  it.each([
    ['new jobs come first', ['c', 'b', 'a'], ['e', 'd', 'c'], false, ['e', 'd', 'c', 'b', 'a']],
    ['changed jobs replace loaded ones', ['c', 'b', 'a'], ['c changed', 'b'], false, ['c changed', 'b', 'a']],
    ['a deleted job is left out', ['d', 'c', 'b', 'a'], ['d', 'b'], false, ['d', 'b', 'a']],
    ['all jobs are deleted', ['b', 'a'], [], true, []],
    ['a short list is the whole list', ['b', 'a'], ['b'], true, ['b']],
  ])('%s', (_, loaded, newest, isLast, expected) =>
    expect(mergeNewestJobs(jobs(...loaded), jobs(...newest), isLast)).toEqual(jobs(...expected)),
  );

  it('the loaded jobs stay until the newest are known', () =>
    expect(mergeNewestJobs(jobs('b', 'a'), null, false)).toEqual(jobs('b', 'a')));

  it.each([[[]], [['b', 'a']]])('a gap between the newest and the loaded jobs %j is found', (loaded) =>
    expect(mergeNewestJobs(jobs(...loaded), jobs('f', 'e'), false)).toBeNull(),
  );
});
