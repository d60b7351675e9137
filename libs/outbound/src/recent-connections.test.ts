import { afterEach, describe, expect, it, vi } from 'vitest';
import { RecentConnections } from './recent-connections.js';

afterEach(() => void vi.useRealTimers());

describe('RecentConnections', () => {
  it('knows for half a minute that other hosts are reached', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const connections = new RecentConnections();
    expect(connections.hasRecentlyReachedKindOf('1.1.1.1')).toBe(false);
    connections.note('8.8.8.8');
    vi.advanceTimersByTime(29_000);
    expect(connections.hasRecentlyReachedKindOf('1.1.1.1')).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect(connections.hasRecentlyReachedKindOf('1.1.1.1')).toBe(false);
  });

  it.each([
    ['10.0.0.1', '8.8.8.8', false],
    ['8.8.8.8', '10.0.0.1', false],
    ['10.0.0.1', '192.168.0.1', true],
    ['2606:4700::1111', '8.8.8.8', false],
    ['8.8.8.8', '2606:4700::1111', false],
    ['2606:4700::1111', '2606:4700::2222', true],
  ])('after a connection to %s, other hosts like %s are reached: %s', (connected, failed, expected) => {
    const connections = new RecentConnections();
    connections.note(connected);
    expect(connections.hasRecentlyReachedKindOf(failed)).toBe(expected);
  });

  it('knows that hosts were reached once, and waits half an hour for the first', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const connections = new RecentConnections();
    connections.note('8.8.8.8');
    vi.advanceTimersByTime(29 * 60_000);
    expect(connections.hasEverReachedKindOf('1.1.1.1')).toBe(true);
    expect(connections.hasEverReachedKindOf('10.0.0.1')).toBe(false);
    expect(connections.mayStillReachFirstOfKindOf('1.1.1.1')).toBe(false);
    expect(connections.mayStillReachFirstOfKindOf('10.0.0.1')).toBe(true);
    vi.advanceTimersByTime(2 * 60_000);
    expect(connections.hasEverReachedKindOf('1.1.1.1')).toBe(true);
    expect(connections.mayStillReachFirstOfKindOf('10.0.0.1')).toBe(false);
  });

  it('waits half an hour from the first failure, however long it has run before', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const connections = new RecentConnections();
    vi.advanceTimersByTime(31 * 60_000);
    connections.noteUnreachable('8.8.8.8');
    expect(connections.mayStillReachFirstOfKindOf('1.1.1.1')).toBe(true);
    expect(connections.mayStillReachFirstOfKindOf('10.0.0.1')).toBe(false);
    vi.advanceTimersByTime(29 * 60_000);
    connections.noteUnreachable('1.1.1.1');
    expect(connections.mayStillReachFirstOfKindOf('1.1.1.1')).toBe(true);
    vi.advanceTimersByTime(2 * 60_000);
    expect(connections.mayStillReachFirstOfKindOf('1.1.1.1')).toBe(false);
  });
});
