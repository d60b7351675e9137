import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getPackageFolderUrl } from '@app/runtime';
import type { ReferenceDialogue } from '@app/speech';

/** The bundled recording with its text. */
export async function loadSampleDialogue(): Promise<ReferenceDialogue> {
  const folder = new URL('assets/sample/', getPackageFolderUrl());
  const { audio, turns } = JSON.parse(await readFile(new URL('dialogue.json', folder), 'utf8')) as {
    audio: string;
    turns: ReferenceDialogue['turns'];
  };
  return { path: fileURLToPath(new URL(audio, folder)), language: 'en', turns };
}
