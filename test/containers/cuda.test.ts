import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { describeHardenedContainer, useServiceContainer } from './hardened-container.suite.js';
import { Container } from './support/container.js';
import { findImagesFolder } from './support/images-folder.js';
import { SAMPLE_MS } from './support/service-container.js';

const ON_A_GPU = { ENGINE: 'sherpa', SHERPA_PROVIDER: 'cuda' };
const NO_DEVICE = 'no NVIDIA device: /dev/nvidia0 not found';
const LIBRARIES = '/opt/zephyr/node_modules/sherpa-onnx-linux-x64';

const run = (program: string, ...args: string[]) =>
  Container.runOnce(findImagesFolder(), 'cuda', program, args);

describe('the image for GPUs, on a machine without one', () => {
  it('has the CUDA provider of its base, and all libraries but those of the driver', async () => {
    const { stdout } = await run('ldd', `${LIBRARIES}/libonnxruntime_providers_cuda.so`);
    expect(stdout).toMatch(/libcudart\.so\.12 => \/usr\/local\/cuda/);
    expect(stdout.match(/\S+ => not found/g)).toEqual(['libcuda.so.1 => not found']);
  });

  it('has what cuDNN loads by name, and nothing of the base twice', async () => {
    expect((await run('ldconfig', '-p')).stdout).toContain('libcudnn_ops.so.9 ');
    expect((await run('ls', '/opt')).stdout).toBe('zephyr\n');
  });

  it('loads the native engine', async () => {
    const { stdout } = await run(
      'node',
      '-e',
      `require('${LIBRARIES}/sherpa-onnx.node'); console.log('loaded')`,
    );
    expect(stdout).toBe('loaded\n');
  });

  it('says that there is no GPU instead of starting a processor for one', async () => {
    const models = await mkdtemp(join(tmpdir(), 'models-'));
    try {
      await chmod(models, 0o755);
      await makeModel(models, 'tiny-parakeet');
      const { code, stderr } = await Container.runZephyr(
        findImagesFolder(),
        {
          variant: 'cuda',
          env: { ...ON_A_GPU, MODELS_DIR: '/models' },
          mounts: [`${models}:/models:ro`],
        },
        'processor',
      );
      expect(code).not.toBe(0);
      expect(stderr).toContain(NO_DEVICE);
    } finally {
      await rm(models, { recursive: true });
    }
  });
});

describe('the service in the image for GPUs, on a machine without one', () => {
  const getService = useServiceContainer('cuda');

  it('transcribes the sample on the CPU', { timeout: SAMPLE_MS }, async () => {
    expect(await getService().transcribeSample()).toContain('Good morning.');
  });

  describeHardenedContainer(getService);

  it('has a doctor that says what a GPU would need', async () => {
    const findings = await getService().doctor(ON_A_GPU);
    expect(findings.find(({ name }) => name === 'provider')).toMatchObject({
      status: 'problem',
      // The libraries are there.
      detail: `cuda: ${NO_DEVICE}`,
    });
  });
});
