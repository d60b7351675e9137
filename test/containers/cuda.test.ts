import { describe, expect, it } from 'vitest';
import { Container } from './support/container.js';
import { findImagesFolder } from './support/images-folder.js';

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
});
