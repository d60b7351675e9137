import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findPackageFolder } from '@app/runtime';
import type { Dialogue } from '@app/speech';

/** The bundled recording with its text. */
export async function readDialogue(): Promise<Dialogue> {
  const folder = new URL('assets/sample/', findPackageFolder());
  const { audio, turns } = JSON.parse(await readFile(new URL('dialogue.json', folder), 'utf8')) as {
    audio: string;
    turns: Dialogue['turns'];
  };
  return { path: fileURLToPath(new URL(audio, folder)), language: 'en', turns };
}
