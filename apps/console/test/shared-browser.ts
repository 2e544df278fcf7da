import { forgetKept, keptByWorker } from '@ringdown/testing/kept-by-worker';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

const main = fileURLToPath(new URL('browser-main.js', import.meta.url));

/**
 * A connection to the browser of this worker of jest, which the first file starts. `close` ends the connection and the
 * contexts that were made with it; the browser ends with the worker.
 */
export async function connectToBrowser(): Promise<Browser> {
  try {
    return await connect();
  } catch {
    // It has crashed since the last file.
    forgetKept('browser');
    return connect();
  }
}

async function connect(): Promise<Browser> {
  // Files to upload are read by the browser itself.
  return chromium.connectOverCDP(await keptByWorker('browser', startBrowser), { isLocal: true });
}

/** Resolves with its address. */
async function startBrowser(): Promise<string> {
  const { TMPDIR, HOME } = process.env;
  const env = { ...programEnvironment(), TMPDIR, HOME };
  const child = spawn(process.execPath, [main], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(() => undefined);
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]: unknown[]) => String(text));
  const address = await Promise.race([line, ended]);
  if (address === undefined) throw new Error('the browser did not start');
  // The worker does not wait for it.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
  return address;
}
