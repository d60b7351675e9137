import { deliveriesHeldSince, holdDeliveries, releaseDeliveries } from '@app/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { Scene } from './webhooks.scene.js';

let scene: Scene;
let receiver: Receiver;
beforeAll(async () => {
  [scene, receiver] = await Promise.all([Scene.open(), startReceiver(status(200))]);
  await scene.dataSource.query(`INSERT INTO installation (secret_fingerprint) VALUES ('test')`);
});
afterAll(async () => {
  await receiver?.close();
  await scene?.close();
});

describe('held webhooks', () => {
  it('held webhooks stay pending and are sent after their release', async () => {
    const before = await scene.endedJob(receiver.url);
    await holdDeliveries(scene.dataSource);
    const since = await deliveriesHeldSince(scene.dataSource);
    await holdDeliveries(scene.dataSource);
    expect(await deliveriesHeldSince(scene.dataSource)).toEqual(since);
    const meanwhile = await scene.endedJob(receiver.url);
    expect(await scene.dispatcher().dispatchOnce()).toBe(0);
    for (const id of [before, meanwhile])
      expect(await scene.deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(receiver.received).toEqual([]);

    expect(await releaseDeliveries(scene.dataSource)).toBe(true);
    expect(await releaseDeliveries(scene.dataSource)).toBe(false);
    expect(await deliveriesHeldSince(scene.dataSource)).toBeNull();
    expect(await scene.dispatcher().dispatchOnce()).toBe(2);
    for (const id of [before, meanwhile])
      expect(await scene.deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  });
});
