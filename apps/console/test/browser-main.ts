import { freePort } from '@ringdown/testing/embedded-servers';
import { launchChromium } from './launch-chromium.js';

// Program of the test files of one worker: starts their browser, writes its address as one line, and ends when its standard
// input does, which it also does when the worker is killed.
const ended = new Promise((resolve) => process.stdin.once('close', resolve).resume());
// Ctrl-C reaches this process, too; the worker ends by itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const port = await freePort();
const browser = await launchChromium({ args: [`--remote-debugging-port=${port}`], isInterruptible: false });
process.stdout.write(`http://127.0.0.1:${port}\n`);
// A browser that has crashed is not waited for; its tests say so.
await Promise.race([ended, new Promise((resolve) => browser.on('disconnected', resolve))]);
await browser.close();
