import type { Browser } from 'playwright-core';

/** Types of `tab-memory.mjs` for tests. */
export function measureTabMemory(browser: Browser, action: () => Promise<void>): Promise<number>;
