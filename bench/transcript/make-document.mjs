/** Writes a document of 100,000 words, as it is stored, to the file named on the command line. */
import { writeFile } from 'node:fs/promises';
import { makeLongDocument } from './long-talk.mjs';

await writeFile(process.argv[2], makeLongDocument());
