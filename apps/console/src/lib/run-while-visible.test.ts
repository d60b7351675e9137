import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runWhileVisible } from './run-while-visible.ts';

class FakeDocument extends EventTarget {
  hidden = false;

  show(isShown: boolean): void {
    this.hidden = !isShown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let tab: FakeDocument;
let calls: string[];

beforeEach(() => {
  tab = new FakeDocument();
  vi.stubGlobal('document', tab);
  calls = [];
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function run(): () => void {
  return runWhileVisible(() => {
    calls.push('start');
    return () => calls.push('stop');
  });
}

describe('what runs while a tab is visible', () => {
  it('stops when the tab is hidden, and starts again when it is shown', () => {
    run();
    expect(calls).toEqual(['start']);
    tab.show(false);
    expect(calls).toEqual(['start', 'stop']);
    tab.show(true);
    expect(calls).toEqual(['start', 'stop', 'start']);
  });

  it('does not start in a hidden tab', () => {
    tab.hidden = true;
    run();
    expect(calls).toEqual([]);
    tab.show(true);
    expect(calls).toEqual(['start']);
  });

  it('starts and stops once', () => {
    const end = run();
    tab.show(true);
    expect(calls).toEqual(['start']);
    tab.show(false);
    end();
    tab.show(true);
    expect(calls).toEqual(['start', 'stop']);
  });
});
