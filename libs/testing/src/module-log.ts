// Preloaded into a process (`node --import`): writes the modules that its main thread has loaded when the process ends.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['RINGDOWN_MODULE_LOG'];

if (isMainThread && folder !== undefined) {
  const loaded = new Set<string>();
  registerHooks({
    load: (url, context, nextLoad) => {
      if (url.startsWith('file:')) loaded.add(url);
      return nextLoad(url, context);
    },
  });
  process.on('exit', () => writeFileSync(`${folder}/${process.pid}`, [...loaded].join('\n')));
}
