import { readFileSync } from 'node:fs';
import { page } from './published-document.js';

/** The style sheet of the page. */
export const STYLE = page(readFileSync(new URL('./reference.css', import.meta.url), 'utf8'));
