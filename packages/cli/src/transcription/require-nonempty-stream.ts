import { CommandError } from '../errors.js';

/** The stream, once its first bytes are there. @throws CommandError if it has none */
export async function requireNonEmptyStream(
  stream: AsyncIterable<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const chunks = stream[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (first.done !== true && first.value.byteLength === 0) first = await chunks.next();
  if (first.done === true) throw new CommandError('Standard input is empty.');
  const { value } = first;
  return (async function* () {
    yield value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
}
