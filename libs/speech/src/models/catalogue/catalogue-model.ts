import type { Manifest, ManifestFile } from '../manifest.js';

/** A file that can be fetched. Its checksum is one that others who use it pin. */
export interface CatalogueFile extends ManifestFile {
  url: string;
}

/** A model that can be fetched: its manifest before it is installed. */
export interface CatalogueModel extends Omit<Manifest, 'files'> {
  files: CatalogueFile[];
  /** What it is good for, in a few words. */
  about: string;
}

/** A role of a model, the name of its file, its size in bytes and its SHA-256. */
export type CatalogueFileRow = [role: string, path: string, bytes: number, sha256: string];

/** Files that lie under one address, fixed to a revision where the place has revisions. */
export function buildCatalogueFiles(base: string, rows: readonly CatalogueFileRow[]): CatalogueFile[] {
  return rows.map(([role, path, bytes, sha256]) => ({ role, path, bytes, sha256, url: `${base}/${path}` }));
}

/** The address of one revision of a repository of the maker of sherpa-onnx. */
export function huggingFaceRevisionUrl(repository: string, commit: string): string {
  return `https://huggingface.co/csukuangfj/${repository}/resolve/${commit}`;
}

/** The address of the files of a release of sherpa-onnx. */
export function githubReleaseUrl(tag: string): string {
  return `https://github.com/k2-fsa/sherpa-onnx/releases/download/${tag}`;
}
