/** A reading thread that ends without a message in the middle of its second reading. */
import { parentPort } from 'node:worker_threads';
import '../src/ldap/reading-thread-main.js';

let readings = 0;
parentPort?.on('message', (message: { readonly kind: string }) => {
  if (message.kind === 'read') readings++;
  if (readings === 2) process.exit(1);
});
