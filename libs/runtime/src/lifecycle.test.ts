import { Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { openOrClose } from './lifecycle.js';
import { parentIsGone } from './parent.js';

const steps: string[] = [];

@Injectable()
class Consumer implements OnApplicationBootstrap, OnModuleDestroy {
  onApplicationBootstrap(): void {
    steps.push('consumes');
  }
  async onModuleDestroy(): Promise<void> {
    await Promise.resolve();
    steps.push('has given back');
  }
}

@Module({ providers: [Consumer] })
class Program {}

describe('a program that fails to open', () => {
  it('gives back what it has begun before the failure is told', async () => {
    const app = await NestFactory.createApplicationContext(Program, { logger: false });
    const opening = openOrClose(app, () => Promise.reject(new Error('the port is taken')));
    await expect(opening.finally(() => steps.push('failed'))).rejects.toThrow('the port is taken');
    expect(steps).toEqual(['consumes', 'has given back', 'failed']);
  });

  it('stays open when it does not', async () => {
    steps.length = 0;
    const app = await NestFactory.createApplicationContext(Program, { logger: false });
    await openOrClose(app, () => Promise.resolve());
    expect(steps).toEqual(['consumes']);
    await app.close();
  });
});

it('a parent is gone only where there was one', () => {
  const send = () => true;
  expect(parentIsGone({ send, connected: false })).toBe(true);
  expect(parentIsGone({ send, connected: true })).toBe(false);
  // As Node has it in a program that was started from a shell.
  expect(parentIsGone({ connected: false })).toBe(false);
});
