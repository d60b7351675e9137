import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const OVERLAYS = fileURLToPath(new URL('../../deploy/kubernetes/overlays', import.meta.url));

/** A manifest as it is applied; tests look into the parts that they are about. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

/** @returns what `kubectl apply --kustomize` would send @throws Error if kubectl refuses the overlay */
export function renderOverlay(name: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', `${OVERLAYS}/${name}`], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

export const hasKubectl = (() => {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
})();
