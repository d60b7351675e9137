import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  probeExecutionProvider,
  formatExecutionProviderProblemsAndAdvice,
  listNvidiaDeviceFileNames,
} from './probe-execution-provider.js';

const LIBRARIES = ['libonnxruntime_providers_cuda.so', 'libonnxruntime_providers_shared.so'];

let devices: string;
let library: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-provider-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  [devices, library] = [join(folder, 'dev'), join(folder, 'library')];
  await mkdir(devices);
  await mkdir(library);
});

async function write(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) await writeFile(join(folder, name), '');
}

const findCuda = () => probeExecutionProvider('cuda', { devices, library });

describe('probeExecutionProvider', () => {
  it('cpu needs nothing', () => {
    expect(probeExecutionProvider('cpu')).toMatchObject({
      devices: [],
      deviceFiles: [],
      missing: [],
    });
  });

  it('cuda has one device for each NVIDIA card, in the order of the driver', async () => {
    await write(library, ...LIBRARIES);
    await write(
      devices,
      'nvidia10',
      'nvidia2',
      'nvidiactl',
      'nvidia-uvm',
      'nvidia-uvm-tools',
      'null',
      'nvidia.txt',
    );
    await mkdir(join(devices, 'nvidia-caps'));
    const found = findCuda();
    expect(found).toMatchObject({ provider: 'cuda', devices: ['0', '1'], missing: [] });
    expect(found.deviceFiles.map((path) => path.slice(devices.length + 1)).toSorted()).toEqual(
      ['nvidia-caps', 'nvidia-uvm', 'nvidia-uvm-tools', 'nvidia10', 'nvidia2', 'nvidiactl'].toSorted(),
    );
    expect(listNvidiaDeviceFileNames(devices)).toEqual(['nvidia2', 'nvidia10']);
  });

  it('cuda names every library and device file that is missing', async () => {
    expect(formatExecutionProviderProblemsAndAdvice(findCuda()).problems).toBe(
      `the native library has no CUDA: ${LIBRARIES.join(' and ')} not found in ${library}; no NVIDIA device: ${join(devices, 'nvidia0')} not found`,
    );
    await write(library, 'libonnxruntime_providers_cuda.so');
    await write(devices, 'nvidia0', 'nvidiactl');
    const { problems, advice } = formatExecutionProviderProblemsAndAdvice(findCuda());
    expect(problems).toBe(
      `the native library has no CUDA: libonnxruntime_providers_shared.so not found in ${library}; not found: ${join(devices, 'nvidia-uvm')}`,
    );
    expect(advice).toMatch(/nvidia-modprobe.*docs\/speech\/sherpa\.md#gpus.*SHERPA_PROVIDER=cpu/);
  });

  it('the installed package has no CUDA', () => {
    expect(
      formatExecutionProviderProblemsAndAdvice(probeExecutionProvider('cuda', { devices })).problems,
    ).toMatch(/libonnxruntime_providers_cuda\.so and .* not found in .*node_modules\/sherpa-onnx-/);
  });

  it('coreml needs macOS and a library that contains it', async () => {
    const find = (platform: NodeJS.Platform) => probeExecutionProvider('coreml', { library, platform });
    expect(find('linux').missing).toMatchObject([{ problem: 'Core ML is a part of macOS' }]);
    await writeFile(join(library, 'libonnxruntime.1.dylib'), 'CPUExecutionProvider');
    expect(find('darwin').missing).toMatchObject([{ problem: expect.stringContaining(library) }]);
    await writeFile(join(library, 'libonnxruntime.1.dylib'), 'a CoreMLExecutionProvider b');
    expect(find('darwin')).toMatchObject({ devices: ['0'], missing: [] });
  });
});
