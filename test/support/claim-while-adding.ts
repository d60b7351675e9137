const CLAIMANTS = 3;

/**
 * Claims with several claimants while something adds what can be claimed, until the addition has ended and nothing is left.
 *
 * @returns what was claimed
 */
export async function claimWhileAdding<T extends object>(
  add: () => Promise<unknown>,
  claim: () => Promise<T | null | undefined>,
): Promise<T[]> {
  const claimed: T[] = [];
  let isAdding = true;
  const claimUntilEmpty = async () => {
    for (;;) {
      const wasAdding = isAdding;
      const found = await claim();
      if (found) claimed.push(found);
      else if (!wasAdding) return;
    }
  };
  const adding = add().finally(() => (isAdding = false));
  await Promise.all([adding, ...Array.from({ length: CLAIMANTS }, claimUntilEmpty)]);
  // A claim that met a lock ends early; what is left can be claimed.
  await claimUntilEmpty();
  return claimed;
}
