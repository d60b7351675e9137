import { Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { closeAppIfOpeningFails } from './lifecycle.js';
import { isParentProcessGone } from './boot/start-interruption.js';

const steps: string[] = [];

@Injectable()
class Consumer implements OnApplicationBootstrap, OnModuleDestroy {
  onApplicationBootstrap(): void {
    steps.push('consumes');
  }
  async onModuleDestroy(): Promise<void> {
    await Promise.resolve();
    steps.push('has closed');
  }
}

@Module({ providers: [Consumer] })
class Program {}

describe('closeAppIfOpeningFails', () => {
  it('closes the app before it rethrows the error', async () => {
    const app = await NestFactory.createApplicationContext(Program, { logger: false });
    const opening = closeAppIfOpeningFails(app, () => Promise.reject(new Error('the port is taken')));
    await expect(opening.finally(() => steps.push('failed'))).rejects.toThrow('the port is taken');
    expect(steps).toEqual(['consumes', 'has closed', 'failed']);
  });

  it('leaves the app open when opening succeeds', async () => {
    steps.length = 0;
    const app = await NestFactory.createApplicationContext(Program, { logger: false });
    await closeAppIfOpeningFails(app, () => Promise.resolve());
    expect(steps).toEqual(['consumes']);
    await app.close();
  });
});

it('isParentProcessGone is true only for a process that was started with a channel', () => {
  const send = () => true;
  expect(isParentProcessGone({ send, connected: false })).toBe(true);
  expect(isParentProcessGone({ send, connected: true })).toBe(false);
  // As Node has it in a program that was started from a shell.
  expect(isParentProcessGone({ connected: false })).toBe(false);
});
