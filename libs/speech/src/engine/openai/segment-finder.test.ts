import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SegmentFinder } from './segment-finder.js';

const time = fc.option(fc.integer({ min: 0, max: 12 }), { freq: 8 });
const segments = fc.array(fc.record({ text: fc.constant('said'), start: time, end: time }));
const hasTimes = (segment: { start: number | null; end: number | null }) =>
  segment.start !== null && segment.end !== null;

it('finds the same segments as a look at all of them, in their order', () => {
  fc.assert(
    fc.property(segments, fc.nat(12), fc.nat(6), (all, start, length) => {
      const finder = new SegmentFinder(all);
      expect(finder.findAt(start)).toEqual(
        all.filter((each) => hasTimes(each) && each.start! <= start && start < each.end!),
      );
      const end = start + length;
      expect(finder.findAround({ start, end })).toEqual(
        all.filter((each) => hasTimes(each) && each.start! <= start && end <= each.end!),
      );
    }),
  );
});
