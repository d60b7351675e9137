/** Writes a stored document of 100,000 words to the file of its argument. */
import { writeFile } from 'node:fs/promises';
import { makeLongDocument } from './long-talk.mjs';

await writeFile(process.argv[2], makeLongDocument());
