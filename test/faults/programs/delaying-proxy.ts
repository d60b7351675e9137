import { startFaultProxyOn } from '../../support/fault-proxy.js';

/** Passes connections on to another port of its address, and delays their bytes by the milliseconds of the last message. */
const [address, port, targetPort] = process.argv.slice(2);
if (address === undefined) throw new Error('usage: delaying-proxy ADDRESS PORT TARGET_PORT');
const proxy = await startFaultProxyOn(
  { host: address, port: Number(port) },
  { host: address, port: Number(targetPort) },
);
process.on('message', (delayMs: number) => proxy.setFault(delayMs > 0 ? { delayMs } : 'open'));
console.log('listening');
