import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the native library runs a model. */
export type ExecutionProvider = 'cpu' | 'cuda' | 'coreml';

/** What this machine has of an execution provider. */
export interface ExecutionProviderProbeResult {
  provider: ExecutionProvider;
  /** Each is used by one process at a time; empty on CPUs. Values of `CUDA_VISIBLE_DEVICES`. */
  devices: readonly string[];
  /** What a process opens for writing; absolute paths. */
  deviceFiles: readonly string[];
  /** What a process reads besides the library; absolute paths. */
  reads: readonly string[];
  /** Empty if the provider can be used. */
  missing: readonly MissingPart[];
}

interface MissingPart {
  problem: string;
  advice: string;
}

export interface ProviderLookupOptions {
  /** Folder of the native library; by default where Node finds it. */
  library?: string;
  /** `/dev` by default. */
  devices?: string;
  /** By default that of this process. */
  platform?: NodeJS.Platform;
}

export const CPU_PROVIDER_PROBE_RESULT: ExecutionProviderProbeResult = {
  ...{ provider: 'cpu', devices: [], deviceFiles: [], reads: [], missing: [] },
};

const GUIDE = 'docs/speech/sherpa.md#gpus';
const CUDA_LIBRARIES = ['libonnxruntime_providers_cuda.so', 'libonnxruntime_providers_shared.so'];
/** Without both of them no device can be opened. */
const CONTROL_FILES = ['nvidiactl', 'nvidia-uvm'];
const DEVICE_FILE = /^nvidia(\d+|ctl|-uvm|-uvm-tools|-modeset|-caps)$/;
/** The driver finds the devices of the bus here. */
const BUS_FOLDERS = ['/sys/bus/pci/devices', '/sys/devices'];

/** Looks at files only: whether the provider works is known when a model is loaded with it. */
export function probeExecutionProvider(
  provider: ExecutionProvider,
  folders: ProviderLookupOptions = {},
): ExecutionProviderProbeResult {
  const { library = findLibraryFolder(), devices = '/dev', platform = process.platform } = folders;
  if (provider === 'cuda') return findCuda(library, devices);
  return provider === 'coreml' ? findCoreMl(library, platform) : CPU_PROVIDER_PROBE_RESULT;
}

/** Numbers of the NVIDIA devices that have a device file. @param folder `/dev` */
export function listNvidiaDeviceFileNames(folder = '/dev'): string[] {
  return listFiles(folder).filter((name) => /^nvidia\d+$/.test(name));
}

/** Sentences for the operator: all problems, then what to do. */
export function formatExecutionProviderProblemsAndAdvice({ missing }: ExecutionProviderProbeResult): {
  problems: string;
  advice: string;
} {
  return {
    problems: missing.map(({ problem }) => problem).join('; '),
    advice: [...missing.map(({ advice }) => advice), `See ${GUIDE}, or set SHERPA_PROVIDER=cpu.`].join(' '),
  };
}

function findCuda(library: string | null, deviceFolder: string): ExecutionProviderProbeResult {
  const files = listFiles(deviceFolder);
  const absent = CUDA_LIBRARIES.filter((name) => library === null || !existsSync(join(library, name)));
  const cards = listNvidiaDeviceFileNames(deviceFolder);
  const control = CONTROL_FILES.filter((name) => !files.includes(name));
  const missing: MissingPart[] = [];
  if (absent.length > 0)
    missing.push({
      problem: `the native library has no CUDA: ${absent.join(' and ')} not found in ${library ?? 'node_modules'}`,
      advice: 'Copy a build of sherpa-onnx with CUDA into that folder.',
    });
  if (cards.length === 0)
    missing.push({
      problem: `no NVIDIA device: ${join(deviceFolder, 'nvidia0')} not found`,
      advice: 'Install the driver, and pass the devices to the container, if it is one.',
    });
  else if (control.length > 0)
    missing.push({
      problem: `not found: ${control.map((name) => join(deviceFolder, name)).join(', ')}`,
      advice: 'Run `nvidia-modprobe -u -c 0` as root.',
    });
  return {
    provider: 'cuda',
    // The driver counts the devices that it can open, whatever the numbers of their files are.
    devices: cards.map((_, index) => String(index)),
    deviceFiles: files.filter((name) => DEVICE_FILE.test(name)).map((name) => join(deviceFolder, name)),
    reads: BUS_FOLDERS.filter((path) => existsSync(path)),
    missing,
  };
}

function findCoreMl(library: string | null, platform: NodeJS.Platform): ExecutionProviderProbeResult {
  const result: ExecutionProviderProbeResult = {
    ...CPU_PROVIDER_PROBE_RESULT,
    provider: 'coreml',
    devices: ['0'],
  };
  const hasCoreMl = (name: string) =>
    /^libonnxruntime.*\.dylib$/.test(name) &&
    readFileSync(join(library ?? '', name)).includes('CoreMLExecutionProvider');
  const problem =
    platform !== 'darwin'
      ? 'Core ML is a part of macOS'
      : library === null || !listFiles(library).some(hasCoreMl)
        ? `the native library has no Core ML: no libonnxruntime in ${library ?? 'node_modules'} contains it`
        : null;
  const advice =
    platform === 'darwin' ? 'Install a build of sherpa-onnx with Core ML.' : 'Use another provider.';
  return problem === null ? result : { ...result, missing: [{ problem, advice }] };
}

/** Null if the package for this platform is not installed. */
function findLibraryFolder(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const { resolve } = createRequire(require.resolve('sherpa-onnx-node/package.json'));
    return dirname(resolve(`sherpa-onnx-${process.platform}-${process.arch}/package.json`));
  } catch {
    return null;
  }
}

/** Sorted by name, numbers by value. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch {
    return [];
  }
}
