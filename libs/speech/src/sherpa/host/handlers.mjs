import { recognize } from './recognize.mjs';

/** What a host can be asked: a kind of `requests.ts` -> its handler. */
export const HANDLERS = { recognize };
