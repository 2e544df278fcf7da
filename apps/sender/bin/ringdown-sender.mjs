#!/usr/bin/env node
import { existsSync } from 'node:fs';
// A file that is there before the build, so that npm can make it a command when it installs.
const WANTED = 24;
if (Number(process.versions.node.split('.')[0]) < WANTED) {
  process.stderr.write(
    `ringdown-sender: Node ${WANTED} or later is needed; this is ${process.versions.node}. ` +
      '"npx ringdown-sender" uses the version of the checkout.\n',
  );
  process.exit(2);
}
const program = new URL('../../../dist/sender/main.js', import.meta.url);
if (!existsSync(program)) {
  process.stderr.write('ringdown-sender: nothing is built yet; run "npm run build" first.\n');
  process.exit(2);
}
await import(program.href);
