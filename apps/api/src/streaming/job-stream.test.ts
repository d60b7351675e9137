import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { JobStreamService } from './job-stream.js';

it('the changes of a job include a polled event number only when it is another one', () => {
  const numbers = new Subject<number>();
  const unused = undefined as never;
  const service = new JobStreamService(unused, { watch: () => numbers } as never, unused, unused, unused);
  let changes = 0;
  service.watchChanges('job').subscribe(() => (changes += 1));
  const counts = [1, 1, 2, Infinity, Infinity, 2, 2].map((number) => {
    numbers.next(number);
    return changes;
  });
  expect(counts).toEqual([1, 1, 2, 3, 4, 5, 5]);
});
