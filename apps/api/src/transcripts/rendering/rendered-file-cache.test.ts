import { expect, it, vi } from 'vitest';
import { RenderedFileCache } from './rendered-file-cache.js';

const createCache = () => new RenderedFileCache({ maxBytes: 10, maxFileBytes: 6 });
const createRender = (bytes: number) => vi.fn(async () => Buffer.alloc(bytes));

it('concurrent and later requests for one file cost one rendering', async () => {
  const [cache, render] = [createCache(), createRender(3)];
  const files = await Promise.all([cache.get('a', render), cache.get('a', render)]);
  expect(await cache.get('a', render)).toBe(files[0]);
  expect(files[1]).toBe(files[0]);
  expect(render).toHaveBeenCalledOnce();
});

it('the file that was used the longest ago is dropped when the cache is full', async () => {
  const [cache, first, second] = [createCache(), createRender(4), createRender(4)];
  await cache.get('a', first);
  await cache.get('b', second);
  await cache.get('a', first);
  await cache.get('c', createRender(4));
  await cache.get('a', first);
  await cache.get('b', second);
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).toHaveBeenCalledTimes(2);
});

it('a file that is too large is not kept', async () => {
  const [cache, render] = [createCache(), createRender(7)];
  await cache.get('a', render);
  await cache.get('a', render);
  expect(render).toHaveBeenCalledTimes(2);
});

it('a failed rendering is tried again', async () => {
  const [cache, render] = [createCache(), createRender(1)];
  render.mockRejectedValueOnce(new Error('busy'));
  await expect(cache.get('a', render)).rejects.toThrow('busy');
  expect(await cache.get('a', render)).toHaveLength(1);
});
