import type { StageHandler } from '@app/jobs';
import type { EntityManager } from 'typeorm';

/** Work with a callback at the end of its transaction. */
export function withCallbackBeforeCommit(work: StageHandler, end: () => Promise<unknown>): StageHandler {
  const sendDeferredAndEnd = async (tx: EntityManager) => {
    await tx.query('SELECT 1');
    await end();
  };
  return async (...args) => {
    const result = await work(...args);
    if (typeof result === 'function')
      return async (tx) => {
        await result(tx);
        await sendDeferredAndEnd(tx);
      };
    const commit: typeof result.commit = async (tx) => {
      const getNext = await result.commit(tx);
      await sendDeferredAndEnd(tx);
      return getNext;
    };
    return { ...result, commit };
  };
}
