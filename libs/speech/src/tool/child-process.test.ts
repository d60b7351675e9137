import { expect, it } from 'vitest';
import { TailBuffer } from './child-process.js';

it('TailBuffer retains only the last bytes, whatever the block sizes', () => {
  const tail = new TailBuffer(5);
  for (const piece of ['ab', 'cd', 'ef']) tail.push(Buffer.from(piece));
  expect(tail.toString()).toBe('bcdef');
  tail.push(Buffer.from('0123456789'));
  expect(tail.toString()).toBe('56789');
});
