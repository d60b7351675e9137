import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './render-manifests.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const PACKAGES: Record<string, string> = { 'keda.sh': '@kubernetes-models/keda/keda.sh' };

type Models = Record<string, (new (data: Manifest) => { validate(): void }) | undefined>;

function modulePath({ apiVersion, kind }: Manifest): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const folder = PACKAGES[group] ?? (group === '' ? 'kubernetes-models' : `kubernetes-models/${group}`);
  return folder.startsWith('@') ? `${folder}/${version}` : `${folder}/${version}/${kind}`;
}

/** Values, formats and required fields, by the schemas that Kubernetes and KEDA publish. @returns what is wrong, by name */
export async function listInvalidValues(manifests: readonly Manifest[]): Promise<string[]> {
  const found = await Promise.all(
    manifests.map(async (manifest) => {
      const Class = (await loadModels(manifest))[manifest.kind];
      if (Class === undefined) return [`${manifest.kind}: no schema`];
      try {
        new Class(manifest).validate();
        return [];
      } catch (error) {
        return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
      }
    }),
  );
  return found.flat();
}

/** One package has ES modules only, the other one no list of its modules. */
async function loadModels(manifest: Manifest): Promise<Models> {
  const path = modulePath(manifest);
  return path.startsWith('@') ? ((await import(path)) as Models) : (require(path) as Models);
}

/**
 * Fields that the types of the same schemas do not have: the compiler refuses them in a literal. The validators only look at
 * fields that they know.
 *
 * @returns the messages of the compiler
 */
export function listUnknownFields(manifests: readonly Manifest[]): string[] {
  const file = `${ROOT}test/support/manifests-under-test.ts`;
  const source = manifests
    .map(
      (manifest, index) =>
        `import type { I${manifest.kind} as T${index} } from '${modulePath(manifest)}';\n` +
        `export const m${index}: T${index} = ${JSON.stringify(manifest)};\n`,
    )
    .join('');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? source : readFile.call(host, name));
  const program = ts.createProgram([file], options, host);
  return [
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
    ...program.getGlobalDiagnostics(),
  ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
