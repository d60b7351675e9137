import type { Manifest, ManifestFileEntry } from '../manifest.js';
import type { RecognizerRankAndMinAccuracy } from './recognizer-ratings.js';

/** The checksum is one that other projects pin. */
export interface CatalogueFile extends ManifestFileEntry {
  url: string;
}

export interface CatalogueModel extends Omit<Manifest, 'files'> {
  files: CatalogueFile[];
  about: string;
  /** Only recognisers have one. */
  rating?: RecognizerRankAndMinAccuracy;
  /** Only for auxiliary models: recommended beside every recogniser. */
  recommended?: boolean;
}

/** Role, file name, size and SHA-256. */
export type CatalogueFileRow = [role: string, path: string, bytes: number, sha256: string];

/** @param base URL prefix, pinned to a revision where the host has revisions */
export function buildCatalogueFiles(base: string, rows: readonly CatalogueFileRow[]): CatalogueFile[] {
  return rows.map(([role, path, bytes, sha256]) => ({ role, path, bytes, sha256, url: `${base}/${path}` }));
}

export function buildSherpaHuggingFaceBaseUrl(repository: string, commit: string): string {
  return `https://huggingface.co/csukuangfj/${repository}/resolve/${commit}`;
}

export function buildSherpaReleaseBaseUrl(tag: string): string {
  return `https://github.com/k2-fsa/sherpa-onnx/releases/download/${tag}`;
}
