import type { Page } from 'playwright-core';

/** Types of `longest-task.mjs` for tests. */
export function measureLongestTask(page: Page, action: () => Promise<void>): Promise<number>;
